import type { Clock } from "../time/clock.ts";

const minuteMs = 60_000;
/** Of larger uploads only one of a company arrives at a time. */
const largeBytes = 1024 * 1024;
/** A large upload may be tried again after so long while another one of its company arrives. */
const retrySec = 1;

export interface Upload {
  readonly companyId: number;
  readonly bytes: number;
}

/** Bounds what each company uploads: receiving and reading large files costs every user of the process. */
export interface UploadLimiter {
  /**
   * Answers 0 and counts the upload, or counts nothing and answers the seconds after which it may be sent
   * again.
   */
  readonly begin: (upload: Upload) => number;
  /** The upload has arrived or was given up. */
  readonly end: (upload: Upload) => void;
}

/**
 * A company may send `bytesPerMinute` at once, and as many again spread over each minute. Its large uploads
 * arrive one at a time: with two files of 19 MiB in memory V8 collected the whole heap ten times a second.
 */
export function createUploadLimiter(clock: Clock, bytesPerMinute: number): UploadLimiter {
  const arriving = new Set<number>();
  // The company whose last upload is oldest comes first.
  const spent = new Map<number, { readonly left: number; readonly atMs: number }>();
  const creditOf = (companyId: number, nowMs: number): number => {
    const last = spent.get(companyId);
    if (!last) return bytesPerMinute;
    return Math.min(bytesPerMinute, last.left + ((nowMs - last.atMs) * bytesPerMinute) / minuteMs);
  };
  const forgetFull = (nowMs: number): void => {
    for (const [companyId, { atMs }] of spent) {
      if (nowMs - atMs < minuteMs) return;
      spent.delete(companyId);
    }
  };
  const spend = ({ companyId, bytes }: Upload): number => {
    const nowMs = clock.monotonicMs();
    const credit = creditOf(companyId, nowMs);
    const missing = Math.min(bytes, bytesPerMinute) - credit;
    if (missing > 0) return Math.ceil((missing * (minuteMs / 1000)) / bytesPerMinute);
    spent.delete(companyId);
    spent.set(companyId, { left: Math.max(0, credit - bytes), atMs: nowMs });
    forgetFull(nowMs);
    return 0;
  };
  const isLarge = ({ bytes }: Upload): boolean => bytes > largeBytes;
  return {
    begin(upload) {
      if (isLarge(upload) && arriving.has(upload.companyId)) return retrySec;
      const waitSec = spend(upload);
      if (waitSec === 0 && isLarge(upload)) arriving.add(upload.companyId);
      return waitSec;
    },
    end(upload) {
      if (isLarge(upload)) arriving.delete(upload.companyId);
    },
  };
}
