import type { ReactNode } from "react";
import { reasonOf, type ApiError } from "#lib/call";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { SettingsSection } from "./SettingsSection.tsx";

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: ApiError | null;
  readonly refetch: () => unknown;
}

interface Props<Data> {
  /** Title of the placeholder panel while loading. */
  readonly title: string;
  /** Text for a failed load. */
  readonly failed: string;
  readonly query: Asked<Data>;
  readonly height?: number;
  /** Renders the answer, its panels included. */
  readonly children: (data: Data) => ReactNode;
}

/**
 * Settings that are loaded: until there is an answer a placeholder panel of the same size, and on failure the
 * reason. A later failure keeps the known answer.
 */
export function AskedSettings<Data>({ title, failed, query, height = 120, children }: Props<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error)
    return (
      <SettingsSection title={title}>
        <ErrorState title={failed} message={reasonOf(error)} onRetry={() => void refetch()} />
      </SettingsSection>
    );
  return (
    <SettingsSection title={title}>
      <Skeleton height={height} />
    </SettingsSection>
  );
}
