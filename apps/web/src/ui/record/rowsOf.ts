import { chosenRows } from "./chosen.tsx";
import { enteredRows } from "./entered.tsx";
import { framedRows } from "./frames.tsx";

/**
 * Rows of a form as data, one function each kind: they take the name of a field whose values have its type. `Own` is
 * what the form knows besides its texts.
 */
export const rowsOf = <Values extends object, Own extends object = object>() => ({
  ...enteredRows<Values, Own>(),
  ...chosenRows<Values, Own>(),
  ...framedRows<Values, Own>(),
});
