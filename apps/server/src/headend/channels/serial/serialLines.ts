import { startRounds, type Log } from "#core";
import { LineLost, type Channel } from "../channel.ts";
import type { OpenSerial } from "./serialPort.ts";
import { serialLine, type SerialTarget } from "./serialTarget.ts";

/** Interval of attempts to claim a port that another process holds or held. */
const retryMs = 5000;

export interface SerialLinesOptions {
  /** Ports that this process may open, an allowlist: a row of the database cannot name another file. */
  readonly paths: readonly string[];
  readonly open: OpenSerial;
  readonly claim: (line: string) => Promise<boolean>;
  readonly log: Log;
}

/** The serial ports of this process. */
export interface SerialLines {
  readonly open: (target: SerialTarget) => Promise<Channel>;
  readonly stop: () => Promise<void>;
}

/**
 * Claims the lines of the ports for this process and keeps them, so that their jobs are routed here: no other
 * process can open them. If two processes are configured with one path, the first has it until it ends.
 */
export async function holdSerialLines(options: SerialLinesOptions): Promise<SerialLines> {
  const { paths, open, claim, log } = options;
  const lost = new Set<string>();
  const hold = async (): Promise<void> => {
    for (const path of paths) {
      const isOurs = await claim(serialLine(path));
      if (!isOurs && !lost.has(path)) log.warn({ path }, "another process has this serial port");
      if (isOurs) lost.delete(path);
      else lost.add(path);
    }
  };
  await hold();
  const rounds = startRounds({
    everyMs: retryMs,
    round: hold,
    onError: (error) => log.warn({ err: error }, "serial ports could not be taken, trying again"),
  });
  return {
    open: (target) =>
      paths.includes(target.path)
        ? open(target)
        : Promise.reject(
            new LineLost(`the serial port ${target.path} is not in METRUM_SERIAL_PORTS of this server`),
          ),
    stop: rounds.stop,
  };
}
