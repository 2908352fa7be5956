import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useIsPhone } from "#ui/grid";

/** A phone opens the tapped row; a button in the footer switches to selecting, and back. */
export function useChoosing(): { readonly isChoosing: boolean; readonly footNote: ReactNode } {
  const { t } = useTranslation("grid");
  const isPhone = useIsPhone();
  const [isChoosing, setChoosing] = useState(false);
  if (!isPhone) return { isChoosing: false, footNote: undefined };
  return {
    isChoosing,
    footNote: (
      <button
        type="button"
        className="list-choose"
        aria-pressed={isChoosing}
        onClick={() => setChoosing(!isChoosing)}
      >
        {t("choose")}
      </button>
    ),
  };
}
