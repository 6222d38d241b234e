import { Type } from 'typebox';

export const WhatArg = Type.Object(
  {
    all: Type.Optional(Type.Boolean({ description: 'Everything that differs from what is live.' })),
    nodes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 200,
        description: 'Only these nodes, by id.',
      }),
    ),
    release: Type.Optional(Type.String({ maxLength: 64, description: 'What this release says, by id.' })),
  },
  { additionalProperties: false, description: 'One of all, nodes and release.' },
);
