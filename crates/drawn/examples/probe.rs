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
        _ => panic!()
    };
    let pos = board(&cells,&lines);
    let mut s = Solver::new(p);
    let t = Instant::now();
    let r = s.is_drawn(&pos);
    println!("{r:?} generated {} solved {} {:?}", s.generated(), s.solved(), t.elapsed());
    // reachable
    let mut todo = s.parts(&pos); let mut seen = std::collections::HashSet::new(); let mut answers=0;
    while let Some(q) = todo.pop() { if !seen.insert(q.clone()) {continue;} if let Some(Value::Drawn(a)) = s.value(&q) { answers += a.len(); for x in a.iter() { todo.extend(s.parts(&q.after(&x.black,&x.white))); } } else { panic!("not known") } }
    println!("strategy: {} positions {} answers", seen.len(), answers);
}
