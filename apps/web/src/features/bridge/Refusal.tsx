import { useTranslation } from "react-i18next";
import { reasonOf, type ApiError } from "#lib/call";
import { StatusGlyph } from "#ui/status";
import { stepAfter } from "./port.ts";

/** Why a port was not opened, and what the user can do. */
export function Refusal({ error }: { readonly error: ApiError }) {
  const { t } = useTranslation("bridge");
  const step = stepAfter(error.code);
  return (
    <div className="bridge-refusal" role="alert">
      <StatusGlyph kind="alarm" />
      <p>
        <b>{reasonOf(error) ?? t("refused")}</b>
        {step === undefined ? null : <span>{t(`step.${step}`)}</span>}
      </p>
    </div>
  );
}
