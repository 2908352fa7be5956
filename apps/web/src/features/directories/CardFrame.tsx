import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, type ApiError } from "#lib/call";
import { Button, IconButton } from "#ui/button";
import { FactLines } from "#ui/facts";
import { Menu, type MenuEntry } from "#ui/menu";
import { Skeleton } from "#ui/skeleton";
import { EmptyState, ErrorState } from "#ui/states";

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: ApiError | null;
  readonly refetch: () => unknown;
}

/** The states of a card before it is shown. */
export function CardOf<Data>(props: {
  readonly query: Asked<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  const { t } = useTranslation("directories");
  const { data, error, refetch } = props.query;
  if (error?.status === 404) return <EmptyState title={t("notFound")} />;
  if (data !== undefined) return props.children(data);
  if (error)
    return <ErrorState title={t("failed")} message={reasonOf(error)} onRetry={() => void refetch()} />;
  return <Skeleton height={300} />;
}

interface Props {
  readonly name: string;
  readonly badge?: ReactNode;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  readonly onEdit: (() => void) | undefined;
  readonly menu: readonly MenuEntry[];
  readonly children: ReactNode;
}

/** Head and facts of an entry, then its points. */
export function Card({ name, badge, facts, onEdit, menu, children }: Props) {
  const { t } = useTranslation("directories");
  return (
    <>
      <header className="directories-head">
        <h2>{name}</h2>
        {badge}
        <span className="directories-head-end">
          {onEdit ? (
            <Button icon="edit" onClick={onEdit}>
              {t("edit")}
            </Button>
          ) : null}
          {menu.length > 0 ? (
            <Menu
              label={t("actions", { name })}
              trigger={(trigger) => <IconButton {...trigger} icon="more" label={t("actions", { name })} />}
              items={menu}
            />
          ) : null}
        </span>
      </header>
      <FactLines
        facts={facts.map(([fact, value]) => ({ name: fact, title: t(`field.${fact}`), value: value || "—" }))}
      />
      {children}
    </>
  );
}
