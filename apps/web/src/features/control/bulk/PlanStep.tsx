import { control, type ControlPlan } from "@metrum/contract/headend";
import { managementOf, switchesOff, type Command } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { Form } from "#ui/form";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { StatusGlyph } from "#ui/status";
import { detailsOf } from "../outcome/details.ts";
import { choiceOf } from "../useIssue.ts";
import type { Devices } from "./commandList.ts";
import { Proofs } from "./Proofs.tsx";
import { Unable } from "./Unable.tsx";
import { usePlanForm } from "./usePlanForm.ts";

interface Props {
  readonly devices: Devices;
  readonly command: Command;
  readonly given: unknown;
  /** Back to the arguments; absent: there are none. */
  readonly onChange: (() => void) | undefined;
  readonly onSent: (taskId: number) => void;
}

/** What the command would do, which devices cannot and why, and what the user must prove; then it is sent. */
export function PlanStep(props: Props) {
  const { devices, command, given } = props;
  const { t } = useTranslation("bulkControl");
  const management = { ...managementOf({ command, given }) };
  const query = useCall(control.plan, { body: { management, ...devices } }, { isQuiet: true, freshMs: 0 });
  const plan = query.data?.plan;
  if (query.isError && !plan)
    return (
      <ErrorState title={t("failed")} message={reasonOf(query.error)} onRetry={() => void query.refetch()} />
    );
  return plan ? <Planned {...props} plan={plan} management={management} /> : <Skeleton height={240} />;
}

interface PlannedProps extends Props {
  readonly plan: ControlPlan;
  readonly management: Record<string, unknown>;
}

function Planned({ plan, management, ...props }: PlannedProps) {
  const { command, given, onChange } = props;
  const { t } = useTranslation(["bulkControl", "control"]);
  const { number, language, age } = useFormat();
  const { able_count, device_count } = plan;
  const choice = choiceOf(command, given);
  const details = detailsOf(command, given, language);
  const form = usePlanForm({ ...props, plan, management });
  const isHarmful = switchesOff({ command, given });
  const shown = { count: able_count, shown: number(able_count, 0) };
  const question = command.changesDevice ? (command.confirmation?.[language] ?? "") : "";
  const consequence = [question.split("?").slice(1).join("?").trim(), choice?.consequence?.[language]]
    .filter((each) => each !== undefined && each !== "")
    .join(". ");
  return (
    <Form form={form} className="bulk-plan" aria-label={command.title[language]}>
      <header>
        <h3>
          {command.title[language]}
          {details === "" ? null : `: ${details}`}
        </h3>
        {onChange ? <Button onClick={onChange}>{t("change")}</Button> : null}
      </header>
      <p role="status">
        <StatusGlyph kind={able_count === device_count ? "ok" : "warn"} />
        <b>{t("able", { able: number(able_count, 0), all: number(device_count, 0) })}</b>
      </p>
      <Unable plan={plan} />
      {able_count === 0 ? null : (
        <>
          {consequence === "" ? null : <p>{consequence}</p>}
          <p className="bulk-note">{t("expires", { time: age(plan.expires_in) })}</p>
          <Proofs form={form} plan={plan} />
          <Button
            type="submit"
            kind={isHarmful ? "danger" : "primary"}
            icon="send"
            isBusy={form.isBusy}
            disabled={form.isBusy}
          >
            {t("send", { ...shown, action: choice?.title[language] ?? command.title[language] })}
          </Button>
        </>
      )}
    </Form>
  );
}
