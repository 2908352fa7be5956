import type { StepName } from "@metrum/vocabulary";
import type { Conversation } from "../../core/conversation.ts";
import { ProtocolError } from "../../core/errors.ts";
import { associate, clientConformance, release, type Agreement, type Proof } from "./association.ts";
import type { Link, LinkLimits } from "../link/link.ts";
import { isLost } from "../link/link.ts";
import { accessError, valueOf } from "../objects/values.ts";
import { callMethod, getAttribute, getAttributes, setAttribute, type Requester } from "./requests.ts";
import type {
  AccessResult,
  Conformance,
  ConformanceBit,
  CosemAttribute,
  CosemMethod,
  DlmsData,
  InvokeId,
  SelectiveAccess,
} from "../types.ts";

/** Services within one association. */
export interface Session {
  readonly agreement: Agreement;
  /** The value, or why there is none. Errors: ProtocolError of the dialogue. */
  readonly get: (attribute: CosemAttribute, of?: GetOptions) => Conversation<AccessResult>;
  /**
   * The value. Errors: also ProtocolError "unsupported" and "refused" with the data-access-result in
   * `detail`.
   */
  readonly value: (attribute: CosemAttribute, of?: GetOptions) => Conversation<DlmsData>;
  /** Several attributes, in one request if the meter supports it. */
  readonly getAll: (attributes: readonly CosemAttribute[]) => Conversation<AccessResult[]>;
  /** Writes once. Errors: as `value`. */
  readonly set: (attribute: CosemAttribute, value: DlmsData) => Conversation<void>;
  /**
   * Calls a method once; returns its result, or null. Errors: ProtocolError "refused" with the action-result
   * in `detail`.
   */
  readonly action: (method: CosemMethod, parameters: DlmsData) => Conversation<DlmsData | null>;
}

export type SelectedRows =
  | { readonly from: { readonly local: string }; readonly to: { readonly local: string } }
  | { readonly first: number; readonly last: number };

export interface GetOptions {
  readonly access?: SelectiveAccess;
  /** Code of the selection, for the log. */
  readonly rows?: SelectedRows;
}

export interface SessionOptions {
  readonly link: Link;
  readonly limits: LinkLimits;
  readonly proof: Proof;
  readonly conformance?: readonly ConformanceBit[];
  /** Attributes per request; 1 for meters that announce lists and do not support them. */
  readonly listSize?: number;
  /** For meters that repeat a constant id; late answers are then recognised only by the link. */
  readonly fixedInvokeId?: number;
  /** False for meters without RLRQ, which are left by DISC alone. */
  readonly isReleased?: boolean;
}

/**
 * Opens a session, runs `work` in it, and releases the meter, also when the work fails: a meter that is not
 * released stays busy for minutes.
 * Source: IEC 62056-53, 7.3; IEC 62056-46, 6.4. Errors: ProtocolError of the association or the work.
 */
export function* withSession<Result>(
  options: SessionOptions,
  work: (session: Session) => Conversation<Result>,
): Conversation<Result> {
  const { link } = options;
  yield* link.open();
  const requester = requesterOf(options);
  const conformance = new Set(options.conformance ?? clientConformance);
  const leaving = { requester, conformance, isReleased: options.isReleased ?? true };
  let isAssociated = false;
  let result: Result;
  try {
    const agreement = yield* associate(requester, { proof: options.proof, conformance });
    isAssociated = true;
    if (requester.cipher) requester.cipher.isGeneral = agreement.conformance.has("generalProtection");
    result = yield* work(sessionOf(requester, agreement, options.listSize ?? defaultListSize));
  } catch (error) {
    // The first failure is reported; the release is tried once.
    if (error instanceof ProtocolError) yield* leave(leaving, isAssociated && !isLost(error));
    throw error;
  }
  yield* leave(leaving, true);
  return result;
}

const defaultListSize = 8;

function requesterOf({ link, limits, fixedInvokeId }: SessionOptions): Requester {
  let invoke = 0;
  return {
    link,
    limits,
    cipher: undefined,
    maxPdu: 0,
    nextInvoke(): InvokeId {
      invoke = (invoke % 15) + 1;
      return { id: fixedInvokeId ?? invoke, isConfirmed: true, isHighPriority: true };
    },
  };
}

interface Leaving {
  readonly requester: Requester;
  readonly conformance: Conformance;
  readonly isReleased: boolean;
}

/** A meter that does not answer the release has already left; its objections do not matter. */
function* leave({ requester, conformance, isReleased }: Leaving, isAssociated: boolean): Conversation<void> {
  const closings = [
    ...(isAssociated && isReleased ? [release(requester, conformance)] : []),
    requester.link.close(),
  ];
  for (const closing of closings) {
    try {
      yield* closing;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
    }
  }
}

function sessionOf(requester: Requester, agreement: Agreement, listSize: number): Session {
  const atOnce = agreement.conformance.has("multipleReferences") ? Math.max(1, listSize) : 1;
  const lists = { areTaken: atOnce > 1 };
  const get: Session["get"] = (attribute, { access, rows } = {}) => {
    const label: StepName = {
      code: "read_attribute",
      obis: attribute.obis,
      n: attribute.attribute,
      ...rows,
    };
    return getAttribute(requester, label, { attribute, access: access ?? null });
  };
  return {
    agreement,
    get,
    *value(attribute, of) {
      return valueOf(yield* get(attribute, of), attribute);
    },
    *getAll(attributes) {
      const results: AccessResult[] = [];
      for (let at = 0; at < attributes.length; at += atOnce)
        results.push(...(yield* getSome({ requester, get, lists }, attributes.slice(at, at + atOnce))));
      return results;
    },
    *set(attribute, value) {
      const label = { code: "write_attribute", obis: attribute.obis, n: attribute.attribute } as const;
      const result = yield* setAttribute(requester, label, { attribute, access: null, value });
      if (result !== 0) throw accessError(result, attribute);
    },
    *action(method, parameters) {
      const label = { code: "call_method", obis: method.obis, n: method.method } as const;
      const { result, returned } = yield* callMethod(requester, label, { method, parameters });
      if (result !== 0) throw accessError(result, `Call ${method.obis} method ${String(method.method)}`);
      return returned?.kind === "data" ? returned.value : null;
    },
  };
}

interface Getting {
  readonly requester: Requester;
  readonly get: Session["get"];
  readonly lists: { areTaken: boolean };
}

/** A meter that refuses the first list is read one by one afterwards. */
function* getSome(
  { requester, get, lists }: Getting,
  attributes: readonly CosemAttribute[],
): Conversation<readonly AccessResult[]> {
  const [first, ...others] = attributes;
  if (first === undefined) return [];
  if (others.length > 0 && lists.areTaken) {
    const label = { code: "read_attributes", count: attributes.length, obis: first.obis } as const;
    const requests = attributes.map((attribute) => ({ attribute, access: null }));
    try {
      return yield* getAttributes(requester, label, requests);
    } catch (error) {
      if (!(error instanceof ProtocolError) || (error.kind !== "unsupported" && error.kind !== "refused"))
        throw error;
      lists.areTaken = false;
    }
  }
  const results: AccessResult[] = [];
  for (const attribute of attributes) results.push(yield* get(attribute));
  return results;
}
