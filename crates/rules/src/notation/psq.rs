use super::*;
pub(super) fn read(_: &[u8], _: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    todo!()
}
pub(super) fn write(_: &[Record]) -> Result<Vec<u8>, WriteError> {
    todo!()
}
