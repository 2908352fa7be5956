import { tasks, type TaskStatus } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { lasted } from "./tasks.ts";

interface Props {
  readonly deviceId: number | undefined;
  readonly groupId: number | undefined;
  readonly statuses: readonly TaskStatus[];
}

const sumOf = (counts: readonly { readonly count: number }[]) =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** Tasks of the last seven days in one line: how many, how many devices answered and how fast, and why not. */
export function Statistics({ deviceId, groupId, statuses }: Props) {
  const { t } = useTranslation("tasks");
  const { number, age, language } = useFormat();
  const body = {
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
    ...(groupId === undefined ? {} : { poll_group_id: groupId }),
  };
  const { data } = useCall(tasks.statistics, { body }, { isQuiet: true, keepsPrevious: true });
  const codes = useCall(tasks.logResultCodes, {}, { isQuiet: true, freshMs: 3_600_000 }).data?.result_codes;
  if (!data || data.tasks.length === 0) return null;
  const countOf = (key: TaskStatus["key"]) =>
    data.devices.find(({ status_id }) => status_id === statuses.find((each) => each.key === key)?.id)
      ?.count ?? 0;
  const ended = countOf("done") + countOf("failed") + countOf("expired");
  const [worst] = data.results.filter(({ result_code }) => result_code !== 0);
  const code = codes?.find(({ id }) => id === worst?.result_code);
  const facts = [
    t("week.tasks", { count: sumOf(data.tasks), shown: number(sumOf(data.tasks), 0) }),
    t("week.devices", { count: sumOf(data.devices), shown: number(sumOf(data.devices), 0) }),
    ...(ended === 0 ? [] : [t("week.answered", { percent: number((100 * countOf("done")) / ended, 1) })]),
    ...(data.median_sec === null
      ? []
      : [t("week.median", { time: lasted(data.median_sec, { t, number, age }) })]),
    ...(worst && code
      ? [
          t("week.worst", {
            reason: language === "en" ? code.title_en : code.title,
            shown: number(worst.count, 0),
          }),
        ]
      : []),
  ];
  return (
    <p className="task-week">
      {t("week.title")} {facts.join(" · ")}
    </p>
  );
}
