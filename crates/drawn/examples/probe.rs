use tengen_drawn::{position::*, solver::*};
use std::time::Instant;
fn board(cells: &[(i32,i32)], lines: &[Vec<(i32,i32)>]) -> Position {
    for l in lines { for c in l { assert!(cells.contains(c), "{c:?}"); } }
    Position::from_cells(cells.iter().map(|c| lines.iter().enumerate().filter(|(_,l)| l.contains(c)).fold(0, |m,(i,_)| m | 1<<i)))
}
fn parallelogram(w: i32, h: i32) -> Vec<(i32,i32)> { (0..h).flat_map(|y| (0..w).map(move |j| (y+j,y))).collect() }
fn main() {
    let which = std::env::args().nth(1).unwrap();
    let (cells, lines, p) = match which.as_str() {
        "b2" => {
            let cells = parallelogram(6,4);
            let mut l: Vec<Vec<(i32,i32)>> = vec![];
            for y in 0..4 { l.push((0..6).map(|j| (y+j,y)).collect()); }
            for a in 0..6 { l.push((0..4).map(|y| (a+y,y)).collect()); }
            for x in 3..6 { l.push((0..4).map(|y| (x,y)).collect()); }
            (cells,l,2)
        }
        "t3" => {
            let cells = parallelogram(8,6);
            let mut l: Vec<Vec<(i32,i32)>> = vec![];
            for y in 0..6 { l.push((0..8).map(|j| (y+j,y)).collect()); }
            for x in 4..8 { l.push((0..5).map(|y| (x,y)).collect()); }
            for j in 0..8 { l.push((1..6).map(|y| (j+y,y)).collect()); }
            (cells,l,3)
        }
        "skew" => {
            let a: Vec<i32> = std::env::args().skip(2).map(|x| x.parse().unwrap()).collect();
            let (w,h,len,p,c0,c1,cy,dy) = (a[0],a[1],a[2],a[3],a[4],a[5],a[6],a[7]);
            let cells = parallelogram(w,h);
            let mut l: Vec<Vec<(i32,i32)>> = vec![];
            for y in 0..h { l.push((0..w).map(|j| (y+j,y)).collect()); }
            for x in c0..=c1 { l.push((cy..cy+len).map(|y| (x,y)).collect()); }
            for j in 0..w { l.push((dy..dy+len).map(|y| (j+y,y)).collect()); }
            (cells,l,p as usize)
        }
        "rows" => {
            let a: Vec<i32> = std::env::args().skip(2).map(|x| x.parse().unwrap()).collect();
            let (w,h,len,p,c0,c1,cy,dy,r,r0) = (a[0],a[1],a[2],a[3],a[4],a[5],a[6],a[7],a[8],a[9]);
            let cells = parallelogram(w,h);
            let mut l: Vec<Vec<(i32,i32)>> = vec![];
            if r > 0 { for y in 0..h { l.push((0..r).map(|j| (y+j+r0,y)).collect()); } }
            for x in c0..=c1 { l.push((cy..cy+len).map(|y| (x,y)).collect()); }
            for j in 0..w { l.push((dy..dy+len).map(|y| (j+y,y)).collect()); }
            (cells,l,p as usize)
        }
        _ => panic!()
    };
    let pos = board(&cells,&lines);
    let mut s = Solver::new(p);
    let t = Instant::now();
    let r = s.is_drawn(&pos);
    println!("{r:?} generated {} solved {} {:?}", s.generated(), s.solved(), t.elapsed());
    if r != Some(true) { return; }
    let masks: Vec<u128> = lines.iter().map(|l| l.iter().fold(0, |m,c| m | 1u128 << cells.iter().position(|d| d==c).unwrap())).collect();
    let t = Instant::now();
    let st = tengen_drawn::strategy::Strategy::find(&masks, p, &mut s).unwrap();
    println!("strategy: {} positions {} chars generated {} {:?}", st.answers.len(), st.answers.iter().map(|a| a.len()).sum::<usize>(), s.generated(), t.elapsed());
}
