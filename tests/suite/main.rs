//! Through a real port, a real command line and a real mail server: what users may rely on.

mod admin;
mod backups;
mod cli;
mod content;
mod crash;
mod entries;
mod export;
mod files;
mod house;
mod live_content;
mod mail;
mod pages;
mod registrations;
mod reports;
mod serving;
mod support;
