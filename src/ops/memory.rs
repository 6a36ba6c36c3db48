//! Keeps the memory of a server small that works in short bursts: pages are rendered and compressed in
//! tens of megabytes, once, and then it idles for days. Measured: 34 MB idle without any of this.

/// The allocator keeps no more than this for later, in bytes. Left alone it keeps twice the largest block that was
/// ever freed, and checking a password frees 20 MB.
const KEPT: libc::c_int = 1 << 20;

/// Lets few threads have an allocator arena of their own, and each keep little; call before threads start.
pub fn keep_little() {
    #[cfg(target_env = "gnu")]
    // SAFETY: mallopt only sets numbers inside the allocator; see mallopt(3).
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT);
    }
}

/// Gives back to the system what a burst has freed.
pub fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: malloc_trim releases free memory only, and takes the allocator's own locks; see malloc_trim(3).
    unsafe {
        libc::malloc_trim(0);
    }
}
