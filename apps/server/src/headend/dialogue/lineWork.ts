import type { z } from "zod/mini";
import type { Services, Stop } from "#core";
import type { DevicePorts, OnDatagram, OnMqttMessage } from "#headend/channels";

/** The lines that a process can use. */
export interface OpenLines extends Pick<DevicePorts, "lines" | "useCaller"> {
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
  /** The process or its worker ends: nothing new is begun. */
  readonly isEnding: () => boolean;
  /** The stop of the process waits for what is begun here, as long as its time permits; returns what ends it. */
  readonly beginUnbroken: () => () => void;
}

/** A kind of job that talks to devices; declared by `lineJob`. */
export interface LineJobKind {
  /** Its name in the queue. */
  readonly name: string;
  readonly run: (services: Services, at: OpenLines, payload: unknown) => Promise<void>;
}

/**
 * Declares a kind of line job. `run` rejects only when another process or a later attempt must do the job: a
 * failing device is an outcome.
 */
export function lineJob<Payload>(job: {
  readonly name: string;
  readonly payload: z.ZodMiniType<Payload>;
  readonly run: (services: Services, at: OpenLines, payload: Payload) => Promise<void>;
}): LineJobKind {
  return {
    name: job.name,
    run: (services, at, payload) => job.run(services, at, job.payload.parse(payload)),
  };
}

/** A process that talks to devices, as seen by the work outside the line jobs. */
export interface LineProcess {
  readonly services: Services;
  readonly ports: DevicePorts;
  /** Number of this process; it changes after the presence was lost. */
  readonly processId: () => number;
}

/** Work of the domains on lines and with uplinks. */
export interface LineWork {
  readonly jobs: readonly LineJobKind[];
  /**
   * Runs alongside the jobs for as long as the process talks to devices; started in this order, stopped
   * together.
   */
  readonly beside: readonly ((at: LineProcess) => Stop | Promise<Stop>)[];
  readonly takeMqttMessage: (
    services: Services,
    ...given: Parameters<OnMqttMessage>
  ) => ReturnType<OnMqttMessage>;
  readonly takeDatagram: (services: Services, ...given: Parameters<OnDatagram>) => ReturnType<OnDatagram>;
}
