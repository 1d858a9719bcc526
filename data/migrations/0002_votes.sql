-- Pairwise votes. A vote is never a duplicate of another, so that nothing covers one.

CREATE TABLE vote (
    batch BIGINT NOT NULL,
    record_number BIGINT NOT NULL,
    benchmark VARCHAR NOT NULL,            -- '' where the file names none
    prompt_id VARCHAR,
    judge VARCHAR,
    position VARCHAR,                      -- 'a' or 'b': the model whose answer was shown first
    model_a VARCHAR NOT NULL,
    model_b VARCHAR NOT NULL,
    outcome DOUBLE,                        -- points of model_a: 1, 0.5 in a tie, 0; in between where graded
    preference DOUBLE                      -- as filed, on 0 (model_a) to 1 (model_b)
);
