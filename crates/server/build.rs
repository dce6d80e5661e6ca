//! The page is built by Vite into `web/dist`. Without it the binary still builds, and says what is missing.

use std::fs;
use std::path::Path;

const PLACEHOLDER: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Tengen</title>
<p>The page is not built: run <code>make run</code>. The API is described <a href=\"/api/docs\">here</a>.</p>
</html>
";

fn main() {
    let folder = Path::new("../../web/dist");
    let index = folder.join("index.html");
    if !index.exists() {
        fs::create_dir_all(folder).expect("web/dist can be made");
        fs::write(&index, PLACEHOLDER).expect("web/dist can be written");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../web/dist");
}
