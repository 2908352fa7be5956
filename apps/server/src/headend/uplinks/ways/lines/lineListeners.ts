import { fromHex } from "@metrum/protocols/core";
import { listenOn, type Lines } from "#headend/channels";
import { noteSession } from "#metering/gateways";
import { startRounds, type Services, type Stop } from "#core";
import { lineOfGateway } from "#headend/exchanges";
import { createTelegramIntake, type TelegramIntake } from "./telegramIntake.ts";
import { listeningGateways, type ListeningGateway } from "./listeningStore.ts";
import { cutterOf, Listens } from "./telegrams.ts";

/** Interval at which the list of lines is read again. */
const everyMs = 5000;

interface Running {
  /** Content of the row when listening started. */
  readonly row: string;
  readonly stop: Stop;
}

/**
 * Listens to the lines of gateways with unsolicited telegrams: wireless M-Bus receivers and P1 ports, over
 * TCP or on serial ports of this process. Changed rows take effect within seconds; of several processes the
 * holder of a line listens.
 */
export function startListening(services: Services, lines: Lines): Stop {
  const { database, log } = services;
  const intake = createTelegramIntake(services);
  const running = new Map<number, Running>();
  const listen = async (): Promise<void> => {
    const wanted = new Map((await listeningGateways(database.system)).map((row) => [row.gatewayId, row]));
    for (const [id, { row, stop }] of running)
      if (row !== JSON.stringify(wanted.get(id))) {
        running.delete(id);
        await stop();
      }
    for (const [id, row] of wanted)
      if (!running.has(id))
        running.set(id, { row: JSON.stringify(row), stop: begin(services, row, { lines, intake }) });
  };
  const rounds = startRounds({
    everyMs,
    round: listen,
    onError: (error) => log.warn({ err: error }, "lines with listeners were not read, trying again"),
  });
  return async () => {
    await rounds.stop();
    await Promise.all([...running.values()].map(({ stop }) => stop()));
  };
}

/** Starts listening; an invalid row is reported once and ignored until it changes. */
function begin(
  services: Services,
  row: ListeningGateway,
  { lines, intake }: { readonly lines: Lines; readonly intake: TelegramIntake },
): Stop {
  const { database, clock, log } = services;
  const { gatewayId, companyId, number } = row;
  const target = lineOfGateway(row);
  const parsed = Listens.safeParse(row.listens);
  if (!target || !parsed.success) {
    const message = target
      ? "listens cannot be used"
      : "it has neither address nor serial port that can be opened";
    log.warn(
      { gateway: gatewayId, issues: parsed.error?.issues },
      `a gateway is not listened to: ${message}`,
    );
    return () => Promise.resolve();
  }
  const listens = parsed.data;
  const line = { gatewayId, companyId, number, listens };
  const telling = {
    failed: (error: unknown) => log.warn({ err: error, line: target.key }, "a telegram was not stored"),
  };
  let cut = cutterOf(listens);
  const { stop } = listenOn({
    lines,
    target,
    log,
    hello: fromHex(listens.hello),
    onOpen() {
      cut = cutterOf(listens);
      noteSession(database.system, gatewayId, clock.now()).catch(telling.failed);
    },
    async take(bytes) {
      lines.heard(target.key, bytes);
      await Promise.all(cut(bytes).map((telegram) => intake.take(line, telegram).catch(telling.failed)));
    },
  });
  return stop;
}
