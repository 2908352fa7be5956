import { useTranslation } from "react-i18next";
import { Icon } from "#ui/icon";
import { steps, type StepName } from "./imports.ts";

interface Props {
  readonly current: StepName;
  /** The last step is over, too. */
  readonly isOver?: boolean;
}

/** Where the wizard is; nothing is written before its last step. */
export function Steps({ current, isOver = false }: Props) {
  const { t } = useTranslation("sheetImports");
  const at = steps.indexOf(current);
  return (
    <div className="sheets-steps">
      <ol>
        {steps.map((step, index) => {
          const isDone = index < at || isOver;
          return (
            <li
              key={step}
              aria-current={step === current ? "step" : undefined}
              data-done={isDone ? "" : undefined}
            >
              <span className="sheets-step-number">
                {isDone ? <Icon name="check" size={12} /> : index + 1}
              </span>
              <span className="sheets-step-title">{t(`step.${step}`)}</span>
            </li>
          );
        })}
      </ol>
      {isOver ? null : (
        <p>
          {t("step.of", { at: at + 1, all: steps.length })}
          {current === "run" ? null : ` ${t("step.nothing")}`}
        </p>
      )}
    </div>
  );
}
