//! The pages' script as QuickJS bytecode. build.rs compiles it with this file, so that a start does not parse it.

use rquickjs::{Context, Module, Result, Runtime, WriteOptions, WriteOptionsEndianness};

/// Compiles a script, which runs as a module. Every supported machine is little-endian.
///
/// # Errors
/// If the script is not valid.
pub fn compile(script: &str) -> Result<Vec<u8>> {
    let context = Context::full(&Runtime::new()?)?;
    let options = WriteOptions {
        endianness: WriteOptionsEndianness::Little,
        strip_source: true,
        ..WriteOptions::default()
    };
    context.with(|ctx| Module::declare(ctx, "pages", script)?.write(options))
}
