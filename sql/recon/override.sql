-- Temp table new_override → recon.finding.accepted
UPDATE recon.finding SET accepted = new_override.because FROM new_override
WHERE (finding.rule, finding.subject, finding.trading_date)
  = (new_override.rule, new_override.subject, new_override.trading_date);
