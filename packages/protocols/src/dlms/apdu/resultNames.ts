/** data-access-result. Source: Green Book 9.5. Words as `decode` prints them. */
export const dataAccessResults: Readonly<Record<number, string>> = {
  0: "success",
  1: "hardware-fault",
  2: "temporary-failure",
  3: "read-write-denied",
  4: "object-undefined",
  9: "object-class-inconsistent",
  11: "object-unavailable",
  12: "type-unmatched",
  13: "scope-of-access-violated",
  14: "data-block-unavailable",
  15: "long-get-aborted",
  16: "no-long-get-in-progress",
  17: "long-set-aborted",
  18: "no-long-set-in-progress",
  19: "data-block-number-invalid",
  250: "other-reason",
};

/** action-result. Source: Green Book 9.5. */
export const actionResults: Readonly<Record<number, string>> = {
  ...dataAccessResults,
  15: "long-action-aborted",
  16: "no-long-action-in-progress",
};

/** association-result. Source: Green Book 9.4.2. */
export const associationResults: Readonly<Record<number, string>> = {
  0: "accepted",
  1: "rejected-permanent",
  2: "rejected-transient",
};

/** acse-service-user diagnostics. Source: Green Book 9.4.2. */
export const associationDiagnostics: Readonly<Record<number, string>> = {
  0: "null",
  1: "no-reason-given",
  2: "application-context-name-not-supported",
  3: "calling-AP-title-not-recognized",
  4: "calling-AP-invocation-identifier-not-recognized",
  5: "calling-AE-qualifier-not-recognized",
  6: "calling-AE-invocation-identifier-not-recognized",
  7: "called-AP-title-not-recognized",
  8: "called-AP-invocation-identifier-not-recognized",
  9: "called-AE-qualifier-not-recognized",
  10: "called-AE-invocation-identifier-not-recognized",
  11: "authentication-mechanism-name-not-recognised",
  12: "authentication-mechanism-name-required",
  13: "authentication-failure",
  14: "authentication-required",
};

/** service-error of an exception. Source: Green Book 9.5. */
export const serviceErrors: Readonly<Record<number, string>> = {
  1: "operation-not-possible",
  2: "service-not-supported",
  3: "other-reason",
  4: "pdu-too-long",
  5: "deciphering-error",
  6: "invocation-counter-error",
};
