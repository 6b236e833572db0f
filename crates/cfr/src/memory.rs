//! Large zeroed arrays on large pages.

use crate::CfrError;
use memmap2::MmapMut;
use std::marker::PhantomData;

/// From this size on 2 MiB pages are asked for. Units: bytes.
const HUGE: usize = 4 << 20;

/// Numbers that start as zero, in an anonymous map: pages are taken when they are first written, and come as
/// 2 MiB pages where Linux offers them, which random access to gigabytes needs (a table of 4 KiB pages costs
/// a second miss, for the translation, at nearly every touch).
pub(crate) struct Zeroed<T> {
    map: MmapMut,
    length: usize,
    element: PhantomData<T>,
}

impl<T: bytemuck::Pod> Zeroed<T> {
    /// `length` zeros.
    pub(crate) fn new(length: usize) -> Result<Zeroed<T>, CfrError> {
        let bytes = length.checked_mul(size_of::<T>()).ok_or(CfrError::TooLarge { slots: length as u64 })?;
        let allocation = |source| CfrError::Allocation { bytes: bytes as u64, source };
        let map = MmapMut::map_anon(bytes.max(1)).map_err(allocation)?;
        // Advice only: a kernel without large pages says no, and nothing is lost but speed.
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(Zeroed { map, length, element: PhantomData })
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[..self.length * size_of::<T>()])
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[..self.length * size_of::<T>()])
    }
}
