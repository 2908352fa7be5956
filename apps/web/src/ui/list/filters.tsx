import { Segmented, SelectField, Switch, type Option } from "#ui/field";
import { StatusGlyph } from "#ui/status";
import type { Chip } from "./chips.tsx";
import type { FilterProps, ListFilter, Words } from "./types.ts";

type FromContext<Context, Value> = (context: Words & Context) => Value;

interface Choice<Context> {
  readonly label: string;
  readonly options: FromContext<Context, readonly Option[]>;
  /** Key of the option for all; without it one is always selected, at first this. */
  readonly any?: string;
  readonly usual?: string;
}

const chosenOf = (values: readonly string[] | undefined, options: readonly Option[], usual: string) =>
  options.find(({ value }) => value === values?.[0])?.value ?? usual;

/** One of many, in a drop-down list. */
export function choice<Context>(id: string, of: Choice<Context>): ListFilter<Context> {
  const { usual = "" } = of;
  function Choose({ state, put, context }: FilterProps<Context>) {
    const options = of.options(context);
    return (
      <SelectField
        label={context.t(of.label)}
        value={chosenOf(state.filters[id], options, usual)}
        {...(of.any === undefined ? {} : { placeholder: context.t(of.any) })}
        options={options}
        onChange={({ currentTarget: { value } }) => put(id, value === "" || value === usual ? [] : [value])}
      />
    );
  }
  return { ids: [id], Draw: Choose };
}

/** One of a few, all visible. */
export function segments<Context>(
  id: string,
  of: Omit<Choice<Context>, "any"> & { readonly usual: string },
): ListFilter<Context> {
  function Segments({ state, put, context }: FilterProps<Context>) {
    const options = of.options(context);
    return (
      <Segmented
        name={id}
        label={context.t(of.label)}
        value={chosenOf(state.filters[id], options, of.usual)}
        onValue={(value) => put(id, value === of.usual ? [] : [value])}
        options={options}
      />
    );
  }
  return { ids: [id], Draw: Segments };
}

/** A checkbox that limits the list to rows with a property. */
export function only<Context>(id: string, value: string, label: string): ListFilter<Context> {
  function Only({ state, put, context }: FilterProps<Context>) {
    return (
      <Switch
        checked={state.filters[id]?.[0] === value}
        onChange={({ currentTarget: { checked } }) => put(id, checked ? [value] : [])}
      >
        {context.t(label)}
      </Switch>
    );
  }
  return { ids: [id], Draw: Only };
}

/** The filter of a list whose rows can be switched off. */
export const activeChip = ({ t }: Pick<Words, "t">): Chip => ({
  id: "active",
  title: t("filters.active"),
  isSingle: true,
  options: (["active", "inactive"] as const).map((id) => ({
    id,
    title: t(`active.${id}`),
    icon: <StatusGlyph kind={id === "active" ? "ok" : "off"} />,
  })),
});
