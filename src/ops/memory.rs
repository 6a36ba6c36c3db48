//! Keeps the server's idle memory small: it renders and compresses pages in tens of megabytes, then idles for days.
//! Measured: 34 MB idle without any of this.

/// The most free memory that the allocator keeps, in bytes. By default glibc keeps twice the largest block that was
/// ever freed, and checking a password frees 20 MB.
const KEPT_BYTES: libc::c_int = 1 << 20;

/// Limits the allocator's arenas and the free memory that it keeps. Call it before threads start.
#[cfg_attr(target_env = "gnu", expect(unsafe_code, reason = "the allocator has no safe interface"))]
pub fn limit_allocator() {
    #[cfg(target_env = "gnu")]
    // SAFETY: mallopt only sets numbers inside the allocator; see mallopt(3).
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 2);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES);
        libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT_BYTES);
    }
}

/// Returns freed memory to the operating system.
#[cfg_attr(target_env = "gnu", expect(unsafe_code, reason = "the allocator has no safe interface"))]
pub fn release_freed() {
    #[cfg(target_env = "gnu")]
    // SAFETY: malloc_trim releases only free memory and takes the allocator's own locks; see malloc_trim(3).
    unsafe {
        libc::malloc_trim(0);
    }
}
