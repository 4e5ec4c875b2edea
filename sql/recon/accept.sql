-- Temp table newly_accepted → recon.finding.accepted
UPDATE recon.finding SET accepted = newly_accepted.because FROM newly_accepted
WHERE (finding.rule, finding.subject, finding.trading_date) = (newly_accepted.rule, newly_accepted.subject, newly_accepted.trading_date);
