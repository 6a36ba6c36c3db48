//! Through a real port, a real command line and a real mail server: what users may rely on.

mod admin;
mod applications;
mod backups;
mod bad_input;
mod cli;
mod content;
mod crash;
mod entries;
mod export;
mod files;
mod house;
mod kinds;
mod live_content;
mod mail;
mod pages;
mod payment_ends;
mod payment_events;
mod payment_faults;
mod registrations;
mod reports;
mod review;
mod serving;
mod stripe;
mod support;
