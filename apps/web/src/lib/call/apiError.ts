import i18next from "i18next";

/**
 * Failure of a call. Status 0: the server was not reached. `msg` is in the language of the interface, null
 * without one.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly msg: string | null;
  readonly attributes: Readonly<Record<string, readonly string[]>>;

  constructor(fields: Pick<ApiError, "status" | "code" | "msg"> & Partial<Pick<ApiError, "attributes">>) {
    super(fields.msg ?? fields.code);
    this.status = fields.status;
    this.code = fields.code;
    this.msg = fields.msg;
    this.attributes = fields.attributes ?? {};
  }
}

/** Whether a refusal that asks for a proof takes a one-time code only; otherwise the password is asked for. */
export const asksForCode = ({ attributes }: Pick<ApiError, "attributes">): boolean =>
  "one_t_p" in attributes && !("current_password" in attributes);

/** Temporary statuses: not reached, or the server behind the proxy restarts. */
const passing: readonly number[] = [0, 502, 503, 504];

/** Not reached: the request is neither executed nor refused. */
export function isUnreached(error: unknown): boolean {
  return error instanceof ApiError && passing.includes(error.status);
}

/** Details of a failed panel: the message of the server, that it was not reached, or a code for support. */
export function reasonOf(error: Error | null): string | undefined {
  if (error === null) return undefined;
  // The query passes on whatever was thrown.
  if (!(error instanceof ApiError)) return i18next.t("common:error.code", { code: error.name });
  if (error.status === 0) return i18next.t("common:error.offline");
  return error.msg ?? i18next.t("common:error.code", { code: `${String(error.status)} ${error.code}` });
}

/** The error of an answer, with any subset of the envelope: a proxy answers in its own format. */
export function errorOf(status: number, body: unknown): ApiError {
  const outer = fieldsOf(body);
  const inner = fieldsOf(outer["data"]);
  return new ApiError({
    status,
    code: textOf(outer["code"]) ?? "unknown",
    msg: textOf(inner["msg"]) ?? textOf(outer["msg"]),
    attributes: attributesOf(outer["attributes"] ?? inner["attributes"]),
  });
}

function attributesOf(value: unknown): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([field, texts]) => [
      field,
      (Array.isArray(texts) ? texts : [texts]).map((each: unknown) => (typeof each === "string" ? each : "")),
    ]),
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The fields of any value; empty if it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
