import {
  accountingPoints,
  balanceRoles,
  objects,
  type AccountingPoint,
  type BalanceRole,
} from "@metrum/contract/accounting";
import { pointTypeOf } from "@metrum/vocabulary";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button, IconButton } from "#ui/button";
import { DateField } from "#ui/dateField";
import { NumberField, SelectField } from "#ui/field";
import { PickerField, type Picked } from "#ui/picker";
import { SearchBox } from "#ui/search";
import { Skeleton } from "#ui/skeleton";
import { ErrorState } from "#ui/states";
import { countsNothing, isReversed, type FormulaPoint } from "./groupForm.ts";

interface Props {
  readonly points: readonly FormulaPoint[];
  readonly onPoints: (points: readonly FormulaPoint[]) => void;
  readonly error: string | undefined;
}

/** The points of the group with role, coefficient and days of the formula, and those that can be added. */
export function Formula({ points, onPoints, error }: Props) {
  const { t } = useTranslation("balances");
  const put = (at: number, change: Partial<FormulaPoint>) =>
    onPoints(points.map((point, nth) => (nth === at ? { ...point, ...change } : point)));
  return (
    <div className="balance-formula">
      <section className="balance-panel">
        <h2 className="balance-panel-head">
          {t("form.formula")} <span>{t("form.daysHint")}</span>
        </h2>
        {points.length === 0 ? <p className="balance-none">{t("form.noPoints")}</p> : null}
        <ul>
          {points.map((point, at) => (
            <li key={`${String(point.point_id)} ${point.role}`}>
              <b>{point.name}</b>
              <SelectField
                label={t("form.role")}
                aria-label={t("form.roleOf", { name: point.name })}
                value={point.role}
                options={balanceRoles.map((value) => ({ value, title: t(`role.${value}`) }))}
                onValue={(role) => put(at, { role })}
              />
              <NumberField
                label={t("form.coefficient")}
                value={point.coefficient}
                min={-10_000}
                max={10_000}
                decimals={6}
                error={countsNothing(point) ? t("form.zeroFault") : undefined}
                onValue={(coefficient) => put(at, { coefficient })}
              />
              <DateField
                label={t("form.fromDay")}
                value={point.from_day ?? ""}
                onValue={(day) => put(at, { from_day: day === "" ? null : day })}
              />
              <DateField
                label={t("form.toDay")}
                value={point.to_day ?? ""}
                error={isReversed(point) ? t("form.daysFault") : undefined}
                onValue={(day) => put(at, { to_day: day === "" ? null : day })}
              />
              <IconButton
                icon="close"
                label={t("form.take", { name: point.name })}
                onClick={() => onPoints(points.filter((_, nth) => nth !== at))}
              />
            </li>
          ))}
        </ul>
        {error === undefined ? null : (
          <p className="field-error" role="alert">
            {error}
          </p>
        )}
      </section>
      <Offered
        points={points}
        onAdd={(added, role) =>
          onPoints([
            ...points,
            {
              ...{ point_id: added.id, name: added.name, resource_type_id: added.resource_type_id, role },
              ...{ coefficient: 1, from_day: null, to_day: null },
            },
          ])
        }
      />
    </div>
  );
}

const mostOffered = 50;

interface OfferedProps {
  readonly points: readonly FormulaPoint[];
  readonly onAdd: (point: AccountingPoint, role: BalanceRole) => void;
}

/** Points found by name or address, of the whole company or of one branch; of the resource of those chosen. */
function Offered({ points, onAdd }: OfferedProps) {
  const { t } = useTranslation("balances");
  const { number, language } = useFormat();
  const [search, setSearch] = useState("");
  const [branch, setBranch] = useState<Picked | null>(null);
  const resource = points[0]?.resource_type_id;
  const query = useCall(
    accountingPoints.companyList,
    {
      body: {
        per_page: mostOffered,
        ...(resource === undefined ? {} : { resource_type_id: resource }),
        ...(search === "" ? {} : { search_string: search }),
        ...(branch === null ? {} : { object_ids: [Number(branch.id)] }),
      },
    },
    { isQuiet: true, keepsPrevious: true },
  );
  const found = query.data?.accounting_points;
  const isTaken = (id: number, role: BalanceRole) =>
    points.some((point) => point.point_id === id && point.role === role);
  return (
    <section className="balance-panel balance-offered">
      <h2 className="balance-panel-head">
        {t("form.add")}{" "}
        {resource === undefined ? null : <span>{pointTypeOf(resource)?.title[language]}</span>}
      </h2>
      <div className="balance-filter">
        <SearchBox
          label={t("form.search")}
          value={search}
          onSearch={useCallback((text: string) => setSearch(text.trim()), [])}
        />
        <Branch value={branch} onValue={setBranch} />
      </div>
      {found ? (
        <ul>
          {found.data.map((point) => (
            <li key={point.id}>
              <span>
                <b>{point.name}</b>
                <small>
                  {[
                    pointTypeOf(point.resource_type_id)?.title[language] ?? point.resource_title,
                    point.parent_name ?? point.address,
                  ].join(" · ")}
                </small>
              </span>
              {balanceRoles.map((role) => (
                <Button
                  key={role}
                  size="small"
                  aria-label={t("form.addAs", { name: point.name, role: t(`role.${role}`) })}
                  disabled={isTaken(point.id, role)}
                  onClick={() => onAdd(point, role)}
                >
                  {t(`roleShort.${role}`)}
                </Button>
              ))}
            </li>
          ))}
          {found.data.length === 0 ? <li className="balance-none">{t("form.nothingFound")}</li> : null}
        </ul>
      ) : query.error ? (
        <ErrorState
          title={t("form.failedPoints")}
          message={reasonOf(query.error)}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton height={200} />
      )}
      {found && found.total > found.data.length ? (
        <p className="balance-none" role="status">
          {t("form.more", { shown: number(found.data.length, 0), all: number(found.total, 0) })}
        </p>
      ) : null}
    </section>
  );
}

function Branch(props: { readonly value: Picked | null; readonly onValue: (value: Picked | null) => void }) {
  const { t } = useTranslation("balances");
  const [text, setText] = useState("");
  const { data } = useCall(
    objects.buildTree,
    { body: text === "" ? {} : { search_string: text } },
    { isQuiet: true, keepsPrevious: true },
  );
  const offered = (data?.tree ?? []).slice(0, mostOffered).map(({ _id, name }) => ({ id: _id, title: name }));
  return (
    <PickerField
      label={t("form.branch")}
      value={props.value}
      onValue={props.onValue}
      offered={offered}
      onSearch={setText}
      note={t("form.nothingFound")}
      placeholder={t("form.anyBranch")}
    />
  );
}
