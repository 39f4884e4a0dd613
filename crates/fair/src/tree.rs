//! A salted Merkle tree: 53 cards and a number, each of which can be opened by itself.

use houseway_rules::Card;

use crate::bytes::Bytes32;
use crate::hash::{Purpose, hash};
use crate::shuffle::Deal;

/// How many hashes lead from a leaf to the root.
pub(crate) const DEPTH: usize = 6;

/// The leaf of the number, behind those of the cards.
pub(crate) const NUMBER_LEAF: u8 = Card::COUNT as u8;

/// The other half at each step from a leaf up to the root.
pub(crate) type Path = [Bytes32; DEPTH];

/// A leaf: which one it is, its salt and what it holds.
pub(crate) fn leaf(index: u8, salt: Bytes32, value: &[u8]) -> Bytes32 {
    hash(Purpose::Leaf, &[&[index], &salt.0, value])
}

fn node(left: Bytes32, right: Bytes32) -> Bytes32 {
    hash(Purpose::Node, &[&left.0, &right.0])
}

/// The root, bound to its deal: what is published.
pub(crate) fn commitment(deal: &Deal, root: Bytes32) -> Bytes32 {
    let parts = [deal.table.as_bytes(), &deal.round.to_be_bytes(), &[deal.highest.get()], &root.0];
    hash(Purpose::Commitment, &parts)
}

/// All hashes, the leaves first; each row has half as many as the one before.
pub(crate) struct Tree(Vec<Vec<Bytes32>>);

impl Tree {
    /// The tree over 54 leaves; the ten that are missing to 64 are zeros and are never opened.
    pub(crate) fn new(leaves: impl IntoIterator<Item = Bytes32>) -> Tree {
        let mut row: Vec<Bytes32> = leaves.into_iter().collect();
        row.resize(1 << DEPTH, Bytes32([0; 32]));
        let mut rows = vec![row];
        for below in 0..DEPTH {
            let (pairs, _) = rows[below].as_chunks::<2>();
            rows.push(pairs.iter().map(|&[left, right]| node(left, right)).collect());
        }
        Tree(rows)
    }

    pub(crate) fn root(&self) -> Bytes32 {
        self.0[DEPTH][0]
    }

    pub(crate) fn path(&self, index: u8) -> Path {
        std::array::from_fn(|height| self.0[height][(usize::from(index) >> height) ^ 1])
    }
}

/// The root to which a path leads.
pub(crate) fn root_from(index: u8, leaf: Bytes32, path: &Path) -> Bytes32 {
    path.iter().enumerate().fold(leaf, |below, (height, &other)| match index >> height & 1 {
        0 => node(below, other),
        _ => node(other, below),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_leads_to_the_root_from_its_own_place_alone() {
        let leaves: Vec<Bytes32> = (0..54).map(|at| leaf(at, Bytes32([9; 32]), b"Ah")).collect();
        let tree = Tree::new(leaves.clone());
        for index in 0..54u8 {
            let path = tree.path(index);
            for other in 0..54u8 {
                let root = root_from(other, leaves[usize::from(index)], &path);
                assert_eq!(root == tree.root(), other == index, "{index} as {other}");
            }
        }
    }

    /// What is hashed for a node is no leaf's, whatever the leaf holds.
    #[test]
    fn a_node_is_not_a_leaf() {
        let (left, right) = (Bytes32([1; 32]), Bytes32([2; 32]));
        let both = [left.0, right.0].concat();
        for index in 0..=255 {
            assert_ne!(leaf(index, left, &right.0), node(left, right));
            assert_ne!(leaf(index, left, &both), node(left, right));
        }
    }
}
