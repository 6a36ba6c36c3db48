//! Hosting: commands, backups, HTTPS, proxies, upgrades, and failing machines.

pub mod backups;
pub mod building;
pub mod cli;
mod clock;
pub mod commands;
pub mod crash;
pub mod disk;
pub mod doctor;
pub mod full_disk;
pub mod hosting;
pub mod hosting_guide;
pub mod https;
pub mod locks;
pub mod observing;
pub mod proxy;
pub mod proxy_caddy;
pub mod supervisor;
pub mod trouble;
pub mod upgrades;
