//! Checks that emails can be sent.

use std::thread;

use super::{Finding, web};
use crate::config::{Config, SmtpSecurity};
use crate::mail::{self, Mailer};

/// Ports on which mail servers accept email, with the `smtp.security` that each needs.
const PORTS: [(u16, &str); 4] = [(465, "implicit"), (587, "starttls"), (2525, "starttls"), (25, "starttls")];

pub fn server(config: &Config, test_mail_to: Option<&str>) -> Vec<Finding> {
    let smtp = &config.smtp;
    if smtp.host.is_empty() {
        let waiting = "smtp.host is not set, so confirmations wait in the outbox until it is.";
        return vec![match test_mail_to {
            Some(to) => Finding::problem(format!("No test email was sent to {to}: {waiting}")),
            None => Finding::note(waiting),
        }];
    }
    if let Err(reason) = web::connect(&smtp.host, smtp.port) {
        let silent = format!("{}:{} does not answer ({reason})", smtp.host, smtp.port);
        return vec![Finding::problem(format!("{silent}. {}", advice(config)))];
    }
    let mut found = vec![Finding::good(format!("{}:{} answers", smtp.host, smtp.port))];
    if smtp.security == SmtpSecurity::Starttls && smtp.port == 465
        || smtp.security == SmtpSecurity::Implicit && smtp.port == 587
    {
        found.push(Finding::problem(
            "smtp.security and smtp.port do not match: use \"implicit\" with 465 and \"starttls\" with 587.",
        ));
    }
    if config.reports.recipient.is_empty() {
        found.push(Finding::note("reports.recipient is not set, so nobody gets the daily report."));
    }
    found.extend(test_mail_to.map(|to| send(config, to)));
    found
}

/// Names a port that does answer. Many hosting providers block port 25, and some block 465 and 587 too.
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
            format!("Port {port} does. Set smtp.port = {port} and smtp.security = \"{security}\".")
        }
        None => format!(
            "Nor do ports {}. Either smtp.host is wrong or your hosting provider blocks email: ask them, or use a mail service that accepts port 2525.",
            PORTS.map(|(port, _)| port.to_string()).join(", ")
        ),
    }
}

fn send(config: &Config, to: &str) -> Finding {
    let mailer = match Mailer::new(&config.smtp) {
        Ok(Some(mailer)) => mailer,
        Ok(None) => return Finding::problem("smtp.host is not set."),
        Err(error) => return Finding::problem(error.to_string()),
    };
    let text =
        "This email shows that Showcase can send emails from your server. There is nothing else to do.";
    let message = mail::Message {
        to: to.to_owned(),
        subject: "Test email from your Showcase".to_owned(),
        body: mail::Body::written(text, &format!("<p>{text}</p>")),
        ..mail::blank(&config.public_url)
    };
    match mailer.send(&message) {
        Ok(()) => Finding::good(format!(
            "the server accepted the test email to {to}; check that it arrives and is not marked as spam"
        )),
        Err(failure) => Finding::problem(format!("The test email was not accepted: {failure}.")),
    }
}
