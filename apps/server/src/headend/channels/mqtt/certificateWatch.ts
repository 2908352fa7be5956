import { readCertificate, type Certificate, type CertificateFiles, type Log, type Stop } from "#core";

/** Certificates are renewed weeks before they expire; a check per minute is enough. */
const lookMs = 60_000;

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
export function watchCertificate(watch: CertificateWatch, everyMs = lookMs): Stop {
  const { files, log, onNew } = watch;
  let current = watch.current;
  let isTold = false;
  const look = async (): Promise<void> => {
    try {
      const next = await readCertificate(files);
      isTold = false;
      if (next.cert === current.cert && next.key === current.key) return;
      onNew(next);
      current = next;
      log.info("the certificate of the MQTT port was renewed");
    } catch (error) {
      if (!isTold) log.warn({ err: error }, "the certificate of the MQTT port cannot be read again");
      isTold = true;
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}
