//! Showcase: the website, registration desk and back office of a two-day beauty showcase and championship.
//!
//! The rooms, from the door inwards, are drawn in ARCHITECTURE.md; a test keeps their imports in order.

pub mod accounts;
pub mod app;
pub mod attention;
pub mod backups;
pub mod certificates;
pub mod checkup;
pub mod cli;
pub mod condition;
pub mod config;
pub mod content;
pub mod content_desk;
pub mod correct;
pub mod days;
pub mod demo;
pub mod doctor;
pub mod enter;
pub mod error;
pub mod export;
pub mod mail;
pub mod memory;
pub mod model;
pub mod outbox;
pub mod password;
pub mod person;
pub mod pricing;
pub mod publish;
pub mod register;
pub mod render;
pub mod report;
pub mod review;
pub mod rules;
pub mod schedule;
pub mod screening;
pub mod search;
pub mod session;
pub mod storage;
pub mod store;
pub mod stripe;
pub mod summary;
pub mod time;
pub mod web;
