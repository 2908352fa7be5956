import { stepAt, type StepName } from "@metrum/vocabulary";
import { ByteReader, ByteWriter } from "../../core/bytes.ts";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { readLength } from "../data/axdr.ts";
import { decodeData, readData } from "../data/data.ts";
import { encodeData } from "../data/dataEncode.ts";
import { ask, type Messenger } from "./messenger.ts";
import type {
  AccessResult,
  Apdu,
  AttributeRequest,
  CosemMethod,
  DataBlock,
  DlmsData,
  InvokeId,
} from "../types.ts";

/** More than any requested profile page; a meter that never ends its blocks is cut off here. */
const maxValueBytes = 0x80000;

/** State shared by the requests of one association. */
export interface Requester extends Messenger {
  /** Id of the next request; repeated in answers. */
  readonly nextInvoke: () => InvokeId;
  /** Maximum message size of the meter; 0: unlimited. */
  maxPdu: number;
}

const sameInvoke = (apdu: Apdu, invoke: InvokeId): boolean =>
  "invoke" in apdu && apdu.type !== "dataNotification" && apdu.invoke.id === invoke.id;

/** Type guard for answers; narrows without a cast. */
function ofType<Type extends Apdu["type"]>(
  apdu: Apdu,
  ...types: Type[]
): apdu is Extract<Apdu, { type: Type }> {
  return types.some((type) => type === apdu.type);
}

/**
 * One attribute, however many blocks its value takes.
 * Source: Green Book 9.3.6 (GET), 9.4.6.5 (block transfer). Errors: ProtocolError of `ask`; "unexpected" for
 * blocks out of order.
 */
export function* getAttribute(
  of: Requester,
  label: StepName,
  request: AttributeRequest,
): Conversation<AccessResult> {
  const invoke = of.nextInvoke();
  const answer = yield* ask(of, {
    label,
    apdu: { type: "getRequest", invoke, ...request },
    isAnswer: (apdu) =>
      sameInvoke(apdu, invoke) &&
      (ofType(apdu, "getResponse") ||
        (ofType(apdu, "getResponseBlock", "getResponseBlockError") && apdu.blockNumber === 1)),
    isRepeatable: true,
  });
  if (ofType(answer, "getResponse")) return answer.result;
  const whole = yield* collectBlocks(of, { label, invoke, first: answer });
  return whole.kind === "error" ? whole : { kind: "data", value: decodeData(whole.bytes) };
}

/**
 * Several attributes in one request. Errors: as `getAttribute`; "unexpected" for another number of
 * results.
 */
export function* getAttributes(
  of: Requester,
  label: StepName,
  requests: readonly AttributeRequest[],
): Conversation<readonly AccessResult[]> {
  const invoke = of.nextInvoke();
  const answer = yield* ask(of, {
    label,
    apdu: { type: "getRequestList", invoke, requests },
    isAnswer: (apdu) =>
      sameInvoke(apdu, invoke) &&
      (ofType(apdu, "getResponseList", "getResponse") ||
        (ofType(apdu, "getResponseBlock", "getResponseBlockError") && apdu.blockNumber === 1)),
    isRepeatable: true,
  });
  // A single result for a list: the meter refuses lists as such.
  if (ofType(answer, "getResponse")) throw new ProtocolError("unsupported", "the meter answers no lists");
  const results = ofType(answer, "getResponseList")
    ? answer.results
    : yield* resultsOf(of, { label, invoke, first: answer });
  if (results.length !== requests.length)
    throw new ProtocolError(
      "unexpected",
      `${String(results.length)} results to ${String(requests.length)} requests`,
    );
  return results;
}

function* resultsOf(of: Requester, blocks: Blocks): Conversation<AccessResult[]> {
  const whole = yield* collectBlocks(of, blocks);
  if (whole.kind === "error")
    throw new ProtocolError("refused", "the list is refused", { detail: whole.code });
  const reader = new ByteReader(whole.bytes);
  const count = readLength(reader);
  if (count > reader.remaining) reader.fail("more results than bytes");
  return Array.from({ length: count }, () =>
    reader.u8() === 0 ? { kind: "data", value: readData(reader) } : { kind: "error", code: reader.u8() },
  );
}

interface Blocks {
  readonly label: StepName;
  readonly invoke: InvokeId;
  readonly first: Apdu;
}

type Whole =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "error"; readonly code: number };

function* collectBlocks(of: Requester, { label, invoke, first }: Blocks): Conversation<Whole> {
  const whole = new ByteWriter(512);
  let block = first;
  for (let number = 1; ; number++) {
    if (ofType(block, "getResponseBlockError")) return { kind: "error", code: block.error };
    if (!ofType(block, "getResponseBlock") || block.blockNumber !== number)
      throw new ProtocolError("unexpected", `block ${String(number)} is not what came`);
    whole.raw(block.data);
    if (block.isLast) return { kind: "bytes", bytes: whole.finish() };
    if (whole.length > maxValueBytes) throw new ProtocolError("unexpected", "the value never ends");
    const wanted = number + 1;
    block = yield* ask(of, {
      label: stepAt(label, { block: wanted }),
      apdu: { type: "getRequestNext", invoke, blockNumber: number },
      isAnswer: (apdu) =>
        sameInvoke(apdu, invoke) &&
        ofType(apdu, "getResponseBlock", "getResponseBlockError") &&
        apdu.blockNumber === wanted,
      isRepeatable: true,
    });
  }
}

/** Space for the parts around a value in a message: descriptor, block header, and protection. */
const overheadBytes = 64;
/** Bytes of a block when the meter accepts less than that. */
const leastBlockBytes = 32;

/** A value split to the message size of the meter; one part: sent as a whole. */
function pieces(of: Requester, bytes: Uint8Array): DataBlock[] {
  const room = of.maxPdu === 0 ? bytes.length : Math.max(leastBlockBytes, of.maxPdu - overheadBytes);
  const count = Math.max(1, Math.ceil(bytes.length / Math.max(1, room)));
  return Array.from({ length: count }, (_, at) => ({
    isLast: at === count - 1,
    blockNumber: at + 1,
    data: bytes.subarray(at * room, (at + 1) * room),
  }));
}

/**
 * Writes an attribute, in blocks if it exceeds the message size of the meter. Returns the data-access-result,
 * 0 for success. Source: Green Book 9.3.7. Never repeated: after a missing answer the caller must read back.
 */
export function* setAttribute(
  of: Requester,
  label: StepName,
  { value, ...request }: AttributeRequest & { readonly value: DlmsData },
): Conversation<number> {
  const invoke = of.nextInvoke();
  const blocks = pieces(of, encodeData(value));
  const isRepeatable = false;
  for (const block of blocks) {
    const isFirst = block.blockNumber === 1;
    const apdu: Apdu =
      blocks.length === 1
        ? { type: "setRequest", invoke, ...request, value }
        : isFirst
          ? { type: "setRequestFirstBlock", invoke, ...request, block }
          : { type: "setRequestBlock", invoke, block };
    const answer = yield* ask(of, {
      label: isFirst ? label : stepAt(label, { block: block.blockNumber }),
      apdu,
      isAnswer: (each) =>
        sameInvoke(each, invoke) &&
        (ofType(each, "setResponse") ||
          (ofType(each, "setResponseBlock", "setResponseLastBlock") &&
            each.blockNumber === block.blockNumber)),
      isRepeatable,
    });
    if (ofType(answer, "setResponse", "setResponseLastBlock")) return answer.result;
  }
  throw new ProtocolError("unexpected", "the meter does not say what became of the value");
}

export interface MethodCall {
  readonly method: CosemMethod;
  readonly parameters: DlmsData | null;
}
export interface MethodResult {
  /** action-result, 0 success. */
  readonly result: number;
  readonly returned: AccessResult | null;
}

/**
 * Calls a method, with parameters in blocks when they are longer than the meter accepts. Never repeated, see
 * `setAttribute`.
 * Source: Green Book 9.3.8. Errors: as `ask`; "unexpected" for blocks out of order.
 */
export function* callMethod(
  of: Requester,
  label: StepName,
  { method, parameters }: MethodCall,
): Conversation<MethodResult> {
  const invoke = of.nextInvoke();
  const blocks = parameters === null ? [] : pieces(of, encodeData(parameters));
  if (blocks.length <= 1) {
    const apdu: Apdu = { type: "actionRequest", invoke, method, parameters };
    return yield* finishMethod(of, { label, invoke }, apdu);
  }
  for (const block of blocks.slice(0, -1)) {
    const apdu: Apdu = methodBlock(invoke, method, block);
    yield* ask(of, {
      label: stepAt(label, { block: block.blockNumber }),
      apdu,
      isAnswer: (each) =>
        sameInvoke(each, invoke) &&
        ofType(each, "actionResponseNextBlock") &&
        each.blockNumber === block.blockNumber,
      isRepeatable: false,
    });
  }
  const last = blocks.at(-1);
  if (last === undefined) throw new ProtocolError("unexpected", "no parameters to send");
  return yield* finishMethod(of, { label, invoke }, methodBlock(invoke, method, last));
}

const methodBlock = (invoke: InvokeId, method: CosemMethod, block: DataBlock): Apdu =>
  block.blockNumber === 1
    ? { type: "actionRequestFirstBlock", invoke, method, block }
    : { type: "actionRequestBlock", invoke, block };

function* finishMethod(
  of: Requester,
  { label, invoke }: { label: StepName; invoke: InvokeId },
  apdu: Apdu,
): Conversation<MethodResult> {
  let answer = yield* ask(of, {
    label,
    apdu,
    isAnswer: (each) => sameInvoke(each, invoke) && ofType(each, "actionResponse", "actionResponseBlock"),
    isRepeatable: false,
  });
  const whole = new ByteWriter();
  for (let number = 1; ofType(answer, "actionResponseBlock"); number++) {
    if (answer.block.blockNumber !== number || whole.length > maxValueBytes)
      throw new ProtocolError("unexpected", `block ${String(number)} is not what came`);
    whole.raw(answer.block.data);
    // The concatenated blocks are the result as in an unsegmented answer.
    if (answer.block.isLast) return methodResultOf(whole.finish());
    const wanted = number + 1;
    answer = yield* ask(of, {
      label: stepAt(label, { answerBlock: wanted }),
      apdu: { type: "actionRequestNextBlock", invoke, blockNumber: number },
      isAnswer: (each) =>
        sameInvoke(each, invoke) && ofType(each, "actionResponseBlock") && each.block.blockNumber === wanted,
      isRepeatable: true,
    });
  }
  if (ofType(answer, "actionResponse")) return { result: answer.result, returned: answer.returned };
  throw new ProtocolError("unexpected", `${answer.type} is not the answer to this request`);
}

function methodResultOf(bytes: Uint8Array): MethodResult {
  const reader = new ByteReader(bytes);
  const result = reader.u8();
  if (reader.done || reader.u8() === 0) return { result, returned: null };
  const returned: AccessResult =
    reader.u8() === 0 ? { kind: "data", value: readData(reader) } : { kind: "error", code: reader.u8() };
  return { result, returned };
}
