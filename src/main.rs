//! The binary: runs the command line in the library and exits with its exit code.

fn main() -> std::process::ExitCode {
    showcase::cli::main()
}
