import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorState } from "#ui/states";

/** A screen whose code or texts could not be fetched, or that crashed as a whole. */
export function RouteFailed({ error }: ErrorComponentProps) {
  const { t } = useTranslation("common");
  return (
    <main>
      <ErrorState
        title={t("crashed")}
        message={error instanceof Error ? error.message : null}
        onRetry={() => location.reload()}
      />
    </main>
  );
}
