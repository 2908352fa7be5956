import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { BrandMark } from "#ui/brand";
import { CrashNote } from "#ui/states";

/** A screen whose code or texts could not be fetched, or that crashed. */
export function RouteFailed({ error }: ErrorComponentProps) {
  const { t } = useTranslation("common");
  return (
    <main className="alone">
      <BrandMark size={32} />
      <CrashNote title={t("crash.title")} error={error} />
    </main>
  );
}
