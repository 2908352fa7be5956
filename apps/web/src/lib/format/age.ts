/** The two largest units of a duration: the minutes of several days are irrelevant. */
export interface Age {
  readonly unit: "now" | "minutes" | "hours" | "days";
  readonly main: number;
  /** Days with hours, hours with minutes; 0 is omitted. */
  readonly rest: number;
}

export function ageOf(seconds: number): Age {
  const minutes = Math.floor(Math.max(0, seconds) / 60);
  if (minutes < 1) return { unit: "now", main: 0, rest: 0 };
  if (minutes < 60) return { unit: "minutes", main: minutes, rest: 0 };
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return { unit: "hours", main: hours, rest: minutes % 60 };
  return { unit: "days", main: Math.floor(hours / 24), rest: hours < 24 * 10 ? hours % 24 : 0 };
}

type Translate = (key: string, options: Readonly<Record<string, unknown>>) => string;

/** "34 min", "1 d 6 h" in the language of the interface; `t` is that of the common texts. */
export function formatAge(seconds: number, t: Translate): string {
  const { unit, main, rest } = ageOf(seconds);
  switch (unit) {
    case "now":
      return t("common:age.now", {});
    case "minutes":
      return t("common:age.minutes", { minutes: main });
    case "hours":
      return rest === 0
        ? t("common:age.hours", { hours: main })
        : t("common:age.hoursMinutes", { hours: main, minutes: rest });
    case "days":
      return rest === 0
        ? t("common:age.days", { days: main })
        : t("common:age.daysHours", { days: main, hours: rest });
  }
}
