//! Files become studies and studies files, over HTTP.

mod requests;

use requests::Server;
use serde_json::json;

#[tokio::test]
async fn files_become_studies_and_studies_files() {
    let server = Server::new("studies_files");
    for (format, file) in [
        (
            "sgf",
            "(;GM[511]SZ[19]C[start];B[JJ];W[IH];W[HI](;B[KK];B[LJ])(;B[AA]C[half]))",
        ),
        ("moves", "J10 I8 H9 K11 L10"),
        ("setup", "B:J10 W:I8,H9 to-move:B"),
        ("ccgc", "{[C6][a B][b W][][][];B(J,10);W(I,8);W(H,9)}"),
        ("littlegolem", "17 j10 i8h9"),
        ("psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n-1\n"),
        ("lib", "\u{78}\u{0}\u{79}\u{40}"),
    ] {
        let list = server
            .upload(
                &format!("/api/studies/import?name=My%20file.{format}"),
                file,
            )
            .await
            .ok();
        let id = &list[0]["id"];
        let title = list[0]["title"].as_str().expect("a title");
        assert_eq!(title, "My file", "{format}");
        let document = server.get(&format!("/api/studies/{id}")).await.ok();
        let answer = server
            .get(&format!("/api/studies/{id}/export?format={format}"))
            .await;
        assert_eq!(answer.status, 200, "{format}: {answer:?}");
        assert!(
            answer
                .header("content-disposition")
                .starts_with("attachment; filename=\"My file.")
        );
        let again = server
            .upload(&format!("/api/studies/import?format={format}"), answer.body)
            .await
            .ok();
        let again = server
            .get(&format!("/api/studies/{}", again[0]["id"]))
            .await
            .ok();
        assert_eq!(again["nodes"], document["nodes"], "{format}");
        assert_eq!(
            again["study"]["start"], document["study"]["start"],
            "{format}"
        );
    }
    let message = server
        .get("/api/studies/1/export?format=moves")
        .await
        .refused(400, "bad-request");
    assert!(message.contains("variations"), "{message}");
    let main = server
        .get("/api/studies/1/export?format=moves&main_line=true")
        .await;
    assert_eq!(main.text(), "J10 I8 H9 K11 L10\n");
    server
        .get("/api/studies/1/export?format=pdf")
        .await
        .refused(400, "bad-request");
    server
        .get("/api/studies/99/export?format=sgf")
        .await
        .refused(404, "not-found");
}

#[tokio::test]
async fn bad_files_are_refused() {
    let server = Server::with("studies_bad_files", |config| config.largest_upload = 10_000);
    let many = "J10\n".repeat(51);
    for (file, query, reason) in [
        (&b"hello"[..], "", "no format that is known"),
        (b"", "format=sgf", "empty"),
        (b"(;B[JJ", "", "SGF line 1"),
        (b"\xff\xfe\x00\xd8 (;", "format=sgf", "SGF"),
        (b"J10", "rules=chess", "chess"),
        (b"J10", "charset=klingon", "klingon"),
        (b"J10", "format=pdf", "pdf"),
        (many.as_bytes(), "", "collection of games"),
    ] {
        let path = format!("/api/studies/import?{query}");
        let message = server
            .upload(&path, file.to_vec())
            .await
            .refused(400, "bad-request");
        assert!(message.contains(reason), "{message} instead of {reason}");
    }
    let answer = server
        .upload("/api/studies/import", vec![b' '; 10_001])
        .await;
    let message = answer.refused(413, "too-large");
    assert!(message.contains("10000 bytes"), "{message}");
    assert_eq!(server.get("/api/studies").await.ok(), json!([]));
    let games = "J10\n".repeat(50);
    let list = server
        .upload("/api/studies/import?name=all.txt", games)
        .await
        .ok();
    assert_eq!(list[49]["title"], "all (50)");
}
