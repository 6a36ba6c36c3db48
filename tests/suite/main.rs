//! Through a real port, a real command line and a real mail server: what users may rely on.

mod admin;
mod applications;
mod authority;
mod backups;
mod bad_input;
mod cli;
mod content;
mod crash;
mod entries;
mod export;
mod files;
mod house;
mod https;
mod kinds;
mod live_content;
mod mail;
mod pages;
mod registrations;
mod reports;
mod review;
mod serving;
mod support;
mod tls_client;
