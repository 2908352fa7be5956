/** Why a call failed. Status 0: the server was not reached. `msg` is in the language of the interface, null without one. */
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

/** Statuses that may be over in a moment: not reached, or the server behind the proxy restarts. */
const passing: readonly number[] = [0, 502, 503, 504];

/** Nobody was there to judge: what was asked is neither done nor refused. */
export function isUnreached(error: unknown): boolean {
  return error instanceof ApiError && passing.includes(error.status);
}

/** What a failed panel says under its own sentence: the words of the server, or that it was not reached. */
export function reasonOf(error: ApiError | null, offline: string): string | undefined {
  return error?.status === 0 ? offline : (error?.msg ?? undefined);
}

/** The error inside an answer, whatever of the envelope is there: a proxy in between answers in its own words. */
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

/** The fields of whatever came; nothing has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
