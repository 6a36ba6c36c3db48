//! The binary: hands the command line to the library and leaves with its exit code.

fn main() -> std::process::ExitCode {
    showcase::cli::main()
}
