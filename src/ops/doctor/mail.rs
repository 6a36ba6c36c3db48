//! Whether mails can leave.

use std::thread;

use super::{Finding, web};
use crate::config::{Config, SmtpSecurity};
use crate::mail::{self, Mailer};

/// Ports on which mail servers take mails, and what they speak there.
const PORTS: [(u16, &str); 4] = [(465, "implicit"), (587, "starttls"), (2525, "starttls"), (25, "starttls")];

pub fn server(config: &Config, test_mail_to: Option<&str>) -> Vec<Finding> {
    let smtp = &config.smtp;
    if smtp.host.is_empty() {
        let waiting = "smtp.host is not set: confirmations wait in the outbox until it is.";
        return vec![match test_mail_to {
            Some(to) => Finding::problem("mail", format!("No test mail was sent to {to}: {waiting}")),
            None => Finding::note("mail", waiting),
        }];
    }
    if let Err(reason) = web::connect(&smtp.host, smtp.port) {
        let asked = format!("{}:{} does not answer ({reason})", smtp.host, smtp.port);
        return vec![Finding::problem("mail", format!("{asked}. {}", advice(config)))];
    }
    let mut found = vec![Finding::good("mail", format!("{}:{} answers", smtp.host, smtp.port))];
    if smtp.security == SmtpSecurity::Starttls && smtp.port == 465
        || smtp.security == SmtpSecurity::Implicit && smtp.port == 587
    {
        found.push(Finding::problem(
            "mail",
            "smtp.security and smtp.port do not fit: 465 speaks \"implicit\", 587 speaks \"starttls\".",
        ));
    }
    if config.reports.recipient.is_empty() {
        found.push(Finding::note("mail", "reports.recipient is not set: nobody gets the daily report."));
    }
    found.extend(test_mail_to.map(|to| send(config, to)));
    found
}

/// Many providers of machines block port 25, some block 465 and 587 too.
fn advice(config: &Config) -> String {
    let open: Vec<(u16, &str)> = thread::scope(|scope| {
        let tries = PORTS.map(|(port, security)| {
            (port, security, scope.spawn(move || web::connect(&config.smtp.host, port).is_ok()))
        });
        tries
            .into_iter()
            .filter_map(|(port, security, tried)| {
                tried.join().is_ok_and(|answers| answers).then_some((port, security))
            })
            .collect()
    });
    match open.first() {
        Some((port, security)) => {
            format!("Port {port} does: set smtp.port = {port} and smtp.security = \"{security}\".")
        }
        None => format!(
            "Neither do {}: the name is wrong, or whoever runs this machine blocks mail; ask them, or use a mail service that takes mails on port 2525.",
            PORTS.map(|(port, _)| port.to_string()).join(", ")
        ),
    }
}

fn send(config: &Config, to: &str) -> Finding {
    let mailer = match Mailer::new(&config.smtp) {
        Ok(Some(mailer)) => mailer,
        Ok(None) => return Finding::problem("mail", "smtp.host is not set."),
        Err(error) => return Finding::problem("mail", error.to_string()),
    };
    let text =
        "This mail shows that Showcase can send mails from your server. Nothing else needs to be done.";
    let message = mail::Message {
        to: to.to_owned(),
        subject: "Test mail of your Showcase".to_owned(),
        body: mail::Body::written(text, &format!("<p>{text}</p>")),
        ..mail::blank(&config.public_url)
    };
    match mailer.send(&message) {
        Ok(()) => Finding::good(
            "mail",
            format!("the server took the test mail to {to}; look whether it arrives, and not as spam"),
        ),
        Err(failure) => Finding::problem("mail", format!("The test mail was not taken: {failure}.")),
    }
}
