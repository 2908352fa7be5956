import type { Bus } from "./bus.ts";
import { openServerPort } from "./serverPort.ts";
import type { Timetable } from "./timetable.ts";

export interface ConverterOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly bus: Bus;
  readonly timetable: Timetable;
}

export interface Converter {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/**
 * A serial server or level converter: listens for a connection and carries the bus. Errors: those of
 * listening (port taken).
 */
export async function startConverter({ bus, timetable, ...place }: ConverterOptions): Promise<Converter> {
  return openServerPort({
    ...place,
    onBytes(bytes, answer) {
      for (const piece of bus.receive(bytes)) timetable.after(piece.afterMs, () => answer(piece.bytes));
    },
  });
}
