import { useTranslation } from "react-i18next";
import { Icon } from "#ui/icon";
import { steps, type StepName } from "./replaceSteps.ts";

interface Props {
  readonly current: StepName;
  /** What was chosen in a step: the names of the meters. */
  readonly notes: Readonly<Partial<Record<StepName, string>>>;
  readonly onStep: (step: StepName) => void;
}

/** Where the wizard is; a finished step is opened again by pressing it. */
export function SwapSteps({ current, notes, onStep }: Props) {
  const { t } = useTranslation("pointReplacement");
  const at = steps.indexOf(current);
  return (
    <ol className="points-steps" aria-label={t("steps")}>
      {steps.map((step, index) => {
        const isDone = index < at;
        const content = (
          <>
            <span className="points-step-number">{isDone ? <Icon name="check" size={12} /> : index + 1}</span>
            <span className="points-step-title">
              <b>{t(`step.${step}`)}</b>
              <small>{notes[step] ?? t(`stepNote.${step}`)}</small>
            </span>
          </>
        );
        return (
          <li
            key={step}
            aria-current={step === current ? "step" : undefined}
            data-done={isDone ? "" : undefined}
          >
            {isDone ? (
              <button type="button" onClick={() => onStep(step)}>
                {content}
              </button>
            ) : (
              content
            )}
          </li>
        );
      })}
    </ol>
  );
}
