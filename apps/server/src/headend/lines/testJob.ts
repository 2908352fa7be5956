import type { LineFault, LineTest, PollResult } from "@metrum/contract/headend";
import { ProtocolError, toHex, type LineDriver } from "@metrum/protocols/core";
import { z } from "zod/mini";
import type { Clock, Services } from "#core";
import {
  LineElsewhere,
  LineLent,
  LineLost,
  LinesClosing,
  type Channel,
  type Lines,
  type LineTarget,
} from "#headend/channels";
import { converse, lineJob } from "#headend/dialogue";
import {
  explainSteps,
  lineModel,
  lineOfGateway,
  recordExchange,
  type Exchange,
  type LoggedStep,
  type LineModel,
} from "#headend/exchanges";
import { impatient, tryModels, type Found } from "#headend/modems";
import { faultOf } from "#headend/network-servers";
import { cutterOf, Listens } from "#headend/uplinks";
import { askedTest, endTest, lineTestKind, type AskedTest, type TestedGateway } from "./testStore.ts";

/** How long a test listens to a line; after bytes it ends with this silence. */
const listenMs = 10_000;
const silenceMs = 1_500;
/** Time limit of a test that queries a meter. */
const askMs = 40_000;
/** Limit of received pieces shown; all bytes are counted. */
const mostPieces = 200;
const mostBytes = 16 * 1024;

/**
 * Tests a line: received bytes and answers are shown, nothing is written to a device and no reading is
 * stored.
 */
export const lineTestJob = lineJob({
  name: lineTestKind,
  payload: z.object({ lineTestId: z.int() }),
  async run(services, { lines }, { lineTestId }) {
    const { system } = services.database;
    const found = await askedTest(system, lineTestId);
    const target = found && lineOfGateway(found.gateway);
    if (found && target)
      await endTest(system, lineTestId, await answerOf(services, { lines, target, ...found }));
  },
});

interface Testing {
  readonly lines: Lines;
  readonly target: LineTarget;
  readonly asked: AskedTest;
  readonly gateway: TestedGateway;
}

/** The outcome and the bytes; of a failed test those before it failed. */
interface Outcome extends Pick<LineTest, "model_id" | "title" | "resource" | "received_bytes" | "steps"> {
  readonly result: PollResult;
}

const nothing: Outcome = {
  result: "ok",
  model_id: null,
  title: "",
  resource: null,
  received_bytes: 0,
  steps: [],
};

/** A test without any byte. */
export const failedTest = (result: PollResult, fault: LineFault | null = null): LineTest => ({
  ...nothing,
  result,
  fault,
  duration_ms: 0,
});

async function answerOf(services: Services, testing: Testing): Promise<LineTest> {
  const { clock } = services;
  const startedMs = clock.monotonicMs();
  const took = () => ({ duration_ms: Math.round(clock.monotonicMs() - startedMs) });
  try {
    const run = testing.asked.kind === "listen" ? listen : ask;
    return { ...(await run(services, testing)), fault: null, ...took() };
  } catch (error) {
    if (error instanceof LinesClosing) throw error;
    if (error instanceof LineLent) return { ...failedTest("line_busy"), ...took() };
    if (error instanceof LineElsewhere) return { ...failedTest("line_busy"), ...took() };
    if (error instanceof LineLost) return { ...failedTest("no_line", faultOfLine(error)), ...took() };
    services.log.error(
      { err: error, line: testing.target.key },
      "a test of a line failed with an internal error",
    );
    return { ...failedTest("internal"), ...took() };
  }
}

const shownFaults: readonly string[] = [
  "not_allowed",
  "name_unknown",
  "not_listening",
  "no_route",
  "no_answer",
  "closed",
] satisfies LineFault[];
const isShown = (reason: string): reason is LineFault => shownFaults.includes(reason);

/** The stage at which connecting failed, never the text of an exception. */
function faultOfLine({ cause }: LineLost): LineFault {
  if (!(cause instanceof Error)) return "other";
  const { reason } = faultOf(cause);
  return isShown(reason) ? reason : "other";
}

/** Bytes of the line: those that its listener receives, or what arrives when it is opened. */
async function listen({ clock }: Services, { lines, target, gateway }: Testing): Promise<Outcome> {
  const parsed = Listens.safeParse(gateway.listens);
  const listens = parsed.success ? parsed.data : undefined;
  const collector = collect(clock, listens && cutterOf(listens));
  if (listens && lines.held(target.key)?.isOpen) {
    const stop = lines.watch(target.key, collector.take);
    await collector.isOver();
    stop();
  } else {
    await lines.use(target, async (channel) => {
      channel.listen(collector.take);
      await collector.isOver();
      channel.listen(undefined);
    });
  }
  return {
    ...nothing,
    ...collector.found(),
    result: collector.found().received_bytes === 0 ? "timeout" : "ok",
  };
}

/** Received bytes in pieces as they came; of a receiver, cut into telegrams. */
function collect(clock: Clock, cut: ReturnType<typeof cutterOf> | undefined) {
  const startMs = clock.monotonicMs();
  const steps: LoggedStep[] = [];
  let received_bytes = 0;
  let kept = 0;
  let isOver = (): void => undefined;
  let silence: NodeJS.Timeout | undefined;
  const keep = (bytes: Uint8Array): void => {
    if (steps.length >= mostPieces || kept >= mostBytes) return;
    const at = Math.round(clock.monotonicMs() - startMs);
    const received = toHex(bytes.subarray(0, mostBytes - kept));
    kept += bytes.length;
    steps.push({ label: "telegram", try: 1, tries: 1, at, answered: at, ended: at, sent: "", received });
  };
  return {
    take: (bytes: Uint8Array): void => {
      received_bytes += bytes.length;
      clearTimeout(silence);
      silence = setTimeout(() => isOver(), silenceMs);
      for (const piece of cut?.(bytes).map(({ telegram }) => telegram) ?? [bytes]) keep(piece);
    },
    /** Resolves when the time is over, or nothing has followed the bytes that came. */
    isOver: async (): Promise<void> => {
      const over = new Promise<void>((resolve) => (isOver = resolve));
      const latest = setTimeout(isOver, listenMs);
      await over;
      clearTimeout(latest);
      clearTimeout(silence);
    },
    found: () => ({ received_bytes, steps: explainSteps(steps, { driver: undefined }) }),
  };
}

/** Identifies the meter with the given model, or with the common ones in turn; no password is sent. */
async function ask(
  services: Services,
  { lines, target, asked, gateway: { isWrapped } }: Testing,
): Promise<Outcome> {
  const records: { readonly driver: LineDriver; readonly exchange: Exchange }[] = [];
  const record = (driver: LineDriver): Exchange => {
    const exchange = recordExchange(services.clock);
    records.push({ driver, exchange });
    return exchange;
  };
  const model = asked.modelId === null ? undefined : lineModel(asked.modelId);
  const run = (channel: Channel): Promise<Answering> =>
    model
      ? askModel(services, channel, { model, asked, target, record, isWrapped })
      : tryModels(services, channel, { sessionMs: askMs, record, isWrapped });
  const found = await lines.use(target, run).catch((error: unknown) => {
    if (error instanceof ProtocolError) return error;
    throw error;
  });
  const steps = records.flatMap(({ driver, exchange }) => explainSteps(exchange.steps(), { driver }));
  const received_bytes = steps.reduce((sum, { received }) => sum + received.length / 2, 0);
  if (found instanceof ProtocolError) return { ...nothing, result: found.kind, received_bytes, steps };
  const { model: answering, title } = found;
  return {
    result: "ok",
    model_id: answering?.id ?? null,
    title,
    resource: answering?.resource ?? null,
    received_bytes,
    steps,
  };
}

type Answering = Pick<Found, "model" | "title">;

interface AskedModel extends Pick<Testing, "asked" | "target"> {
  readonly model: LineModel;
  readonly isWrapped: boolean;
  readonly record: (driver: LineDriver) => Exchange;
}

/**
 * A meter with passwords is identified but not polled: it may count wrong passwords and lock itself. Errors:
 * ProtocolError.
 */
async function askModel(
  { clock }: Services,
  channel: Channel,
  { model, asked, target: { serial }, record, isWrapped }: AskedModel,
): Promise<Answering> {
  const { driver } = model;
  const signOn = serial?.sign_on === "mode_e" ? { signOn: { evenParity: serial.parity === "none" } } : {};
  const address = { insideAddr: asked.insideAddr, deviceID: asked.insideAddr, isWrapped, ...signOn };
  const talk = { channel, clock, sessionMs: askMs, exchange: record(driver) };
  if (driver.identify) {
    const { name } = await converse(impatient(driver.identify(address, "open")), talk);
    return { model, title: name ?? model.title };
  }
  if (driver.secrets || driver.factoryPasswords)
    throw new ProtocolError("unsupported", "this model answers only with its password");
  await converse(impatient(driver.poll({ kind: "now" }, address)), talk);
  return { model, title: model.title };
}
