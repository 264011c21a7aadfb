// The fields of a service's payload, for completion.

import { get } from "../../core/api.js";
import { formFields } from "../../model/compose/suggestions.js";
import { tokens } from "../../model/json/parse.js";

const loaded = {};

/** The fields from GET /schemas: `{path, type, values, about}` with the path as a list. */
export function fieldsFor(provider) {
  loaded[provider] ??= get(`/schemas/${provider}`).then(
    ({ fields }) => fields.map((field) => ({ ...field, path: tokens(field.path) })), () => formFields(provider));
  return loaded[provider];
}
