//! Through a real port, a real command line and a real mail server: what users may rely on.

mod admin;
mod cli;
mod crash;
mod export;
mod house;
mod mail;
mod pages;
mod registrations;
mod reports;
mod serving;
mod support;
