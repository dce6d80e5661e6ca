//! Who gets how many workers. Everybody computes the same from what everybody says of himself.

use std::collections::HashMap;

use super::message::{Beat, ClientBeat};
use super::names::ANY;

/// How many threads each client gets: fair by weight, and what one does not want goes to the others. More urgent
/// classes come first. Threads of workers that a client asked for by name or label are of no use to it elsewhere.
pub(crate) fn shares<'a>(
    workers: impl Iterator<Item = &'a Beat>,
    clients: &'a [ClientBeat],
) -> HashMap<&'a str, usize> {
    let pools: Vec<Option<&str>> = clients.iter().map(pool).collect();
    // Workers that are alike to all clients are one heap.
    let mut heaps: HashMap<Vec<bool>, usize> = HashMap::new();
    for worker in workers {
        let serves = |pool: &Option<&str>| pool.is_none_or(|pool| belongs(worker, pool));
        let kind: Vec<bool> = pools.iter().map(serves).collect();
        *heaps.entry(kind).or_default() += worker.threads;
    }
    let mut heaps: Vec<(Vec<bool>, usize)> = heaps.into_iter().collect();
    // Those that few can use first.
    heaps.sort_by_key(|(kind, _)| (kind.iter().filter(|serves| **serves).count(), kind.clone()));
    let mut given = vec![0_usize; clients.len()];
    let mut order: Vec<usize> = (0..clients.len()).collect();
    order.sort_by_key(|&client| (clients[client].class, clients[client].client.as_str()));
    let mut classes: Vec<_> = clients.iter().map(|client| client.class).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        fill(clients, &order, class, &mut heaps, &mut given);
    }
    let names = clients.iter().map(|client| client.client.as_str());
    names.zip(given).collect()
}

/// Gives one thread after the other to whom it is due most.
fn fill(
    clients: &[ClientBeat],
    order: &[usize],
    class: super::names::Class,
    heaps: &mut [(Vec<bool>, usize)],
    given: &mut [usize],
) {
    loop {
        let hungry = |client: usize| {
            let it = &clients[client];
            let most = it.wants.min(it.most.unwrap_or(usize::MAX));
            let room = heaps.iter().any(|(kind, left)| kind[client] && *left > 0);
            it.class == class && given[client] < most && room
        };
        // given / weight, without fractions.
        let due = |a: &usize, b: &usize| {
            let cost = |it: usize, other: usize| {
                (given[it] as u64 + 1) * u64::from(clients[other].weight.max(1))
            };
            cost(*a, *b).cmp(&cost(*b, *a))
        };
        let next = order
            .iter()
            .copied()
            .filter(|&client| hungry(client))
            .min_by(due);
        let Some(client) = next else {
            return;
        };
        let heap = heaps
            .iter_mut()
            .find(|(kind, left)| kind[client] && *left > 0);
        let Some((_, left)) = heap else {
            return;
        };
        *left -= 1;
        given[client] += 1;
    }
}

/// The workers that a client asks for; nothing if it takes all.
fn pool(client: &ClientBeat) -> Option<&str> {
    client.pool.as_deref().filter(|pool| *pool != ANY)
}

/// Whether a worker belongs to a pool.
pub(crate) fn belongs(worker: &Beat, pool: &str) -> bool {
    pool == ANY || worker.name == pool || worker.labels.iter().any(|label| label == pool)
}

#[cfg(test)]
mod tests {
    use super::super::names::Class;
    use super::*;

    fn workers(threads: &[usize]) -> Vec<Beat> {
        let beat = |(number, &threads): (usize, &usize)| Beat {
            name: format!("w{number}"),
            threads,
            ..Beat::default()
        };
        threads.iter().enumerate().map(beat).collect()
    }

    fn client(name: &str, weight: u32, wants: usize) -> ClientBeat {
        ClientBeat {
            client: name.to_owned(),
            weight,
            wants,
            ..ClientBeat::default()
        }
    }

    fn given(threads: &[usize], clients: &[ClientBeat]) -> Vec<usize> {
        let workers = workers(threads);
        let shares = shares(workers.iter(), clients);
        clients
            .iter()
            .map(|it| shares[it.client.as_str()])
            .collect()
    }

    #[test]
    fn equals_share_and_what_one_leaves_goes_to_the_others() {
        let all = [client("a", 1, 99), client("b", 1, 99), client("c", 1, 99)];
        assert_eq!(given(&[4, 4, 4], &all), [4, 4, 4]);
        let modest = [client("a", 1, 1), client("b", 1, 99), client("c", 1, 99)];
        assert_eq!(given(&[11], &modest), [1, 5, 5]);
        let heavy = [client("a", 3, 99), client("b", 1, 99)];
        assert_eq!(given(&[8], &heavy), [6, 2]);
        assert_eq!(given(&[], &heavy), [0, 0]);
    }

    #[test]
    fn caps_and_pools_are_kept() {
        let mut few = client("a", 1, 99);
        few.most = Some(2);
        assert_eq!(given(&[8], &[few, client("b", 1, 99)]), [2, 6]);
        let mut choosy = client("a", 1, 99);
        choosy.pool = Some("w1".to_owned());
        assert_eq!(
            given(&[4, 2], &[choosy.clone(), client("b", 1, 99)]),
            [2, 4]
        );
        choosy.pool = Some("gone".to_owned());
        assert_eq!(given(&[4, 2], &[choosy, client("b", 1, 99)]), [0, 6]);
    }

    #[test]
    fn urgent_searches_come_first() {
        let mut urgent = client("a", 1, 3);
        urgent.class = Class::High;
        let mut idle = client("c", 1, 99);
        idle.class = Class::Low;
        assert_eq!(given(&[8], &[idle, urgent, client("b", 1, 4)]), [1, 3, 4]);
    }

    #[test]
    fn nothing_is_given_twice_and_nothing_wanted_is_left() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..500 {
            let threads: Vec<usize> = (0..random.usize(0..6))
                .map(|_| random.usize(0..9))
                .collect();
            let total: usize = threads.iter().sum();
            let client = |number: usize, random: &mut fastrand::Rng| {
                let mut it = client(&number.to_string(), random.u32(0..4), random.usize(0..20));
                it.class = *random.choice(Class::ALL.iter()).expect("some");
                it
            };
            let clients: Vec<_> = (0..random.usize(1..5))
                .map(|n| client(n, &mut random))
                .collect();
            let wanted: usize = clients.iter().map(|it| it.wants).sum();
            let given: usize = given(&threads, &clients).iter().sum();
            assert_eq!(given, total.min(wanted));
        }
    }
}
