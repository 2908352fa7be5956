import type { NetworkServer } from "@metrum/contract/headend";
import { OutgoingRefused } from "#core";

type Reason = NonNullable<NetworkServer["state_reason"]>;

/** State of a connection as shown in the list. */
export interface Fault {
  readonly state: "refused" | "unreachable";
  readonly reason: Reason;
  /**
   * Error code such as ENOTFOUND or MQTT 5; never the text of an exception, which names internal hosts and
   * addresses.
   */
  readonly message: string;
}

/** The stored key cannot be opened: it was sealed with another key file. */
export class SecretClosed extends Error {
  override readonly name = "SecretClosed";
}

/** CONNACK 1 to 5 and SUBACK 128 (MQTT 3.1.1, 3.2.2.3 and 3.9.3), which the client puts into `code`. */
const ofBroker: Readonly<Record<number, Reason>> = {
  1: "declined",
  2: "declined",
  3: "busy",
  4: "sign_in",
  5: "sign_in",
  128: "topics",
};

/** Codes of errors of Node: names, sockets, TLS. */
const ofNetwork: Readonly<Record<string, Reason>> = {
  ENOTFOUND: "name_unknown",
  EAI_AGAIN: "name_unknown",
  ECONNREFUSED: "not_listening",
  EHOSTUNREACH: "no_route",
  ENETUNREACH: "no_route",
  ETIMEDOUT: "no_answer",
  ECONNRESET: "closed",
  EPIPE: "closed",
};

/** OpenSSL codes for an untrusted certificate (source: node.js, "X509 certificate error codes"). */
const ofCertificate =
  /^(CERT_|CRL_|ERR_TLS_CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

/** Why there is no connection; undefined: it was closed without a reason. */
export function faultOf(error: Error | undefined): Fault {
  if (error === undefined) return { state: "unreachable", reason: "closed", message: "" };
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "number" && code > 0 && code <= 128)
    return { state: "refused", reason: ofBroker[code] ?? "declined", message: `MQTT ${String(code)}` };
  const message = codeOf(error);
  return { state: "unreachable", reason: reasonOf(error, message), message };
}

/** The code of an error of Node, such as ECONNREFUSED; empty when it has none. */
export function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(error.code)
    ? error.code
    : "";
}

function reasonOf(error: Error, code: string): Reason {
  if (error instanceof OutgoingRefused) return "not_allowed";
  if (error instanceof SecretClosed) return "secret";
  if (ofCertificate.test(code)) return "certificate";
  return ofNetwork[code] ?? "other";
}
