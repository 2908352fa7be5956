/** The five fields of a cron expression: which values of each are meant. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>;
  /** A day counts if either field of days has it; unless one of them begins with `*`, which then has no say. */
  readonly isEitherDay: boolean;
}

const bounds = {
  minute: [0, 59],
  hour: [0, 23],
  dayOfMonth: [1, 31],
  month: [1, 12],
  dayOfWeek: [0, 7],
} as const;

/**
 * Reads `minute hour day-of-month month day-of-week` with `*`, lists, ranges and steps; days of the week are 0 or 7
 * (Sunday) to 6. Source: crontab(5) of Vixie cron. Errors: RangeError that names the field.
 */
export function readCron(expression: string): Cron {
  const fields = expression.trim().split(/\s+/);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (fields.length !== 5 || !minute || !hour || !dayOfMonth || !month || !dayOfWeek)
    throw new RangeError(`a cron expression has five fields: ${expression}`);
  return {
    minutes: valuesOf(minute, "minute"),
    hours: valuesOf(hour, "hour"),
    daysOfMonth: new Set(valuesOf(dayOfMonth, "dayOfMonth")),
    months: new Set(valuesOf(month, "month")),
    daysOfWeek: new Set(valuesOf(dayOfWeek, "dayOfWeek").map((day) => day % 7)),
    isEitherDay: !dayOfMonth.startsWith("*") && !dayOfWeek.startsWith("*"),
  };
}

/** Ascending, each once. */
function valuesOf(field: string, name: keyof typeof bounds): number[] {
  const values = field.split(",").flatMap((part) => partOf(part, name));
  return [...new Set(values)].sort((a, b) => a - b);
}

function partOf(part: string, name: keyof typeof bounds): number[] {
  const [least, most] = bounds[name];
  const found = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
  const [, first, last, by = "1"] = found ?? [];
  const from = first === undefined ? least : Number(first);
  // `5/10` means from 5 on.
  const single = found?.[3] === undefined ? from : most;
  const to = first === undefined ? most : last === undefined ? single : Number(last);
  const step = Number(by);
  if (!found || step === 0 || from < least || to > most || from > to)
    throw new RangeError(`${part} is no ${name} of a cron expression`);
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, n) => from + n * step);
}
