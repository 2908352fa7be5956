import {
  readCertificate,
  startRounds,
  type Certificate,
  type CertificateFiles,
  type Log,
  type Stop,
} from "#core";

/** Certificates are renewed weeks before they expire; a check per minute is enough. */
const defaultMs = 60_000;

export interface CertificateWatch {
  readonly files: CertificateFiles;
  readonly log: Pick<Log, "info" | "warn">;
  /** The certificate in use. */
  readonly current: Certificate;
  readonly onNew: (certificate: Certificate) => void;
}

/**
 * Re-reads the files at intervals, so that a renewed certificate needs no restart. While they are unusable,
 * because one of the two may be written before the other, the current certificate stays; this is logged once.
 */
export function watchCertificate(watch: CertificateWatch, everyMs = defaultMs): Stop {
  const { files, log, onNew } = watch;
  let current = watch.current;
  let isReported = false;
  const check = async (): Promise<void> => {
    try {
      const next = await readCertificate(files);
      isReported = false;
      if (next.cert === current.cert && next.key === current.key) return;
      onNew(next);
      current = next;
      log.info("the certificate of the MQTT port was renewed");
    } catch (error) {
      if (!isReported) log.warn({ err: error }, "the certificate of the MQTT port cannot be read again");
      isReported = true;
    }
  };
  return startRounds({
    everyMs,
    round: check,
    onError: (error) => log.warn({ err: error }, "a renewed certificate of the MQTT port is not in use"),
  }).stop;
}
