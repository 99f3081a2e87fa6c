"""Impact problems: one, many, under every law; the corner."""

import os
import pickle
import resource

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import carom


def test_two_equal_balls_exchange_by_restitution():
    outcome = carom.impact([1, 1], [1, 0], [[-1, 1]], law="newton", restitution=0.5)
    assert outcome.velocity == pytest.approx([0.25, 0.75], abs=1e-15)
    assert outcome.impulses == pytest.approx([0.75], abs=1e-15)
    assert outcome.energy.before == 0.5
    assert outcome.energy.change == pytest.approx(-(1 - 0.25) / 4, abs=1e-15)
    assert outcome.stop == "separated" and outcome.finished
    assert outcome.flags == ()
    assert outcome.audit.observed_restitution == pytest.approx([0.5])


def test_a_frictional_impact_has_tangential_impulses():
    # A particle that slides at 1 m/s and falls at 1 m/s on a floor with μ = 0.2: p = 1 + e, p_t = −μp.
    outcome = carom.impact(
        [1, 1], [1, -1], [[0, 1]], law="newton", restitution=0.5, tangents=[[1, 0]], friction=0.2
    )
    assert outcome.impulses == pytest.approx([1.5])
    assert outcome.tangential_impulses == pytest.approx(np.array([[-0.3]]))
    assert outcome.modes == ("slip+",)


def test_arrays_of_an_outcome_keep_it_alive_and_cannot_be_written():
    velocity = carom.impact([[1.0]], [-2.0], [[1.0]]).velocity
    assert velocity[0] == pytest.approx(2.0)
    with pytest.raises(ValueError, match="read-only"):
        velocity[0] = 3.0


def test_repr_and_html_say_what_happened():
    outcome = carom.impact([[1.0]], [-2.0], [[1.0]], law="newton")
    assert "Outcome of newton" in repr(outcome) and "separated" in repr(outcome)
    assert outcome._repr_html_().startswith("<table>")
    assert repr(carom.impacts([[1.0]], [[-2.0]], [[1.0]], law="newton")).startswith("1 outcome of newton")
    assert "2 outcomes of newton" in carom.impacts([1.0], [[-2.0], [1.0]], [[1.0]], law="newton")._repr_html_()


@given(
    arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 4)), elements=st.floats(-2, 2)),
    st.floats(0, 1),
    st.sampled_from(["newton", "poisson", "sequential", "geometric", "compliant"]),
)
@settings(max_examples=30, deadline=None)
def test_many_problems_have_the_bits_of_each_alone(velocities, restitution, law):
    n = velocities.shape[1]
    normals = np.diff(np.eye(n), axis=0)
    metric = np.arange(1.0, n + 1)
    together = carom.impacts(metric, velocities, normals, law=law, restitution=restitution, threads=2)
    for i, velocity in enumerate(velocities):
        alone = carom.impact(metric, velocity, normals, law=law, restitution=restitution)
        assert np.array_equal(together.velocity[i], alone.velocity)
        assert np.array_equal(together.impulses[i], alone.impulses)
        assert together.stop[i] == alone.stop
        assert together.steps[i] == alone.steps
        assert set(alone.flags) == {flag for flag in carom.FLAGS if together.has_flag(flag)[i]}


def test_parameters_of_each_problem():
    count = 1000
    rng = np.random.default_rng(1)
    metric = np.tile(np.eye(2), (count, 1, 1)) * rng.uniform(1, 2, (count, 1, 1))
    velocity = rng.normal(size=(count, 2))
    normals = rng.normal(size=(count, 1, 2))
    restitution = rng.uniform(0, 1, (count, 1))
    result = carom.impacts(metric, velocity, normals, restitution=restitution, law="newton")
    rate = np.einsum("bi,bi->b", normals[:, 0], velocity)
    expected = np.where(rate < 0, -restitution[:, 0] * rate, rate)
    assert result.gap_rates_after[:, 0] == pytest.approx(expected, abs=1e-12)
    assert np.all(result.energy_after <= result.energy_before * (1 + 1e-12))


def test_every_array_that_varies_has_the_bits_of_each_problem_alone():
    count = 5
    rng = np.random.default_rng(4)
    shared = dict(
        metric=np.diag([1.0, 2.0, 3.0]), velocity=rng.normal(size=3), normals=np.array([[0, 1.0, 0.2], [0, 1.0, -0.2]]),
        restitution=0.5, offsets=np.array([0.1, 0.0]), tangents=np.array([[[1.0, 0, 0]], [[1.0, 0, 0.1]]]), friction=0.3,
        tangential_restitution=0.2, stiffness=np.array([1.0, 2.0]),
    )
    for name, value in shared.items():
        value = np.asarray(value)
        each = value * (1 + 0.1 * np.arange(count)).reshape((-1,) + (1,) * max(1, value.ndim))
        for law in ("newton", "compliant"):
            together = carom.impacts(**{**shared, name: each}, law=law)
            for i in range(count):
                alone = carom.impact(**{**shared, name: each[i] if value.ndim else each[i, 0]}, law=law)
                assert np.array_equal(together.velocity[i], alone.velocity), (name, law)
                assert np.array_equal(together.tangential_impulses[i], alone.tangential_impulses), (name, law)


def test_without_an_audit_the_numbers_are_the_same_to_round_off():
    rng = np.random.default_rng(3)
    velocity = rng.normal(size=(5000, 3))
    normals = np.array([[1.0, 0.3, 0], [0.2, 1.0, 0.1]])
    given = dict(restitution=rng.uniform(0, 1, (5000, 1)), offsets=[0.1, 0.0])
    for law in ("geometric", "newton"):
        audited = carom.impacts(np.diag([1.0, 2, 3]), velocity, normals, law=law, **given)
        quick = carom.impacts(np.diag([1.0, 2, 3]), velocity, normals, law=law, audit="none", **given)
        for name in ("velocity", "impulses", "gap_rates_after", "energy_before", "energy_after"):
            assert getattr(quick, name) == pytest.approx(getattr(audited, name), abs=1e-12), (law, name)
        assert np.array_equal(quick.stop, audited.stop) and np.array_equal(quick.steps, audited.steps)
        assert "not audited" in repr(quick)
        with pytest.raises(carom.UnsupportedError, match="were not audited"):
            quick.has_flag("energy-created")
    with pytest.raises(carom.NotFiniteError, match="problem 1"):
        carom.impacts([1], [[-1], [np.nan]], [[1]], law="geometric", audit="none")
    with pytest.raises(carom.UnknownNameError, match="audit"):
        carom.impacts([1], [[-1]], [[1]], audit="nothing")


def test_threads_do_not_change_bits():
    rng = np.random.default_rng(2)
    velocity = rng.normal(size=(2000, 4))
    normals = np.diff(np.eye(4), axis=0)
    one, many = (carom.impacts(np.ones(4), velocity, normals, threads=threads) for threads in (1, 4))
    assert np.array_equal(one.velocity, many.velocity) and np.array_equal(one.impulses, many.impulses)


def test_compare_has_a_row_for_each_law():
    pandas = pytest.importorskip("pandas")
    table = carom.compare({"metric": [1, 1, 1], "velocity": [1, 0, 0], "normals": [[-1, 1, 0], [0, -1, 1]]})
    assert isinstance(table, pandas.DataFrame)
    assert set(table.index) >= {"newton", "poisson", "compliant", "sequential"}
    assert list(table.loc["newton", ["velocity.0", "velocity.1", "velocity.2"]]) == pytest.approx([-1 / 3, 2 / 3, 2 / 3])


def test_compare_takes_the_first_impact_of_a_scene(ball_scene):
    table = carom.compare(ball_scene, ["newton"])
    assert table.loc["newton", "energy_change"] == pytest.approx(-25 * (1 - 0.25))


def test_corner_broadcasts_and_agrees_with_single_problems():
    alpha = np.linspace(0.2, 1.4, 5)[:, None]
    restitution = np.array([0.3, 1.0])
    many = carom.corner(alpha, restitution, [1.0, 0.3])
    assert many.velocity.shape == (5, 2, 2) and many.steps.shape == (5, 2)
    for i in range(5):
        for j in range(2):
            one = carom.corner(alpha[i, 0], restitution[j], [1.0, 0.3])
            assert np.array_equal(one.velocity, many.velocity[i, j])
            assert one.stop == many.stop[i, j]
    elastic = carom.corner(alpha, 1.0, [1.0, 0.3])
    assert elastic.norm == pytest.approx(np.hypot(1.0, 0.3) * np.ones((5, 1)), rel=1e-12)


def test_what_no_corner_has_is_named():
    with pytest.raises(carom.SizeMismatchError, match=r"\(3,\).*\(4,\).*cannot be broadcast"):
        carom.corner(np.ones(3), np.ones(4), [1.0, 0.0])
    with pytest.raises(carom.SizeMismatchError, match=r"expected \(…, 2\)"):
        carom.corner(1.0, 0.5, [1.0, 0.0, 0.0])
    for bad in ("a", [[1, 2], [3]], 1j, np.ma.array([1.0], mask=[True])):
        with pytest.raises(carom.WrongTypeError, match="alpha"):
            carom.corner(bad, 0.5, [1.0, 0.0])
    with pytest.raises(carom.NotFiniteError, match="problem 1"):
        carom.corner([0.5, np.nan], 0.5, [1.0, 0.0])


def test_problems_are_read_written_and_solved(tmp_path):
    problem = carom.ImpactProblem([2, 1], [0, -1], [[0, 1]], restitution=0.8, tangents=[[1, 0]], friction=0.1)
    file = tmp_path / "problem.json"
    file.write_text(problem.to_json())
    again = carom.ImpactProblem.read(file)
    assert np.array_equal(again.solve("newton").velocity, problem.solve("newton").velocity)
    assert np.array_equal(again.metric, np.diag([2.0, 1.0]))
    assert again.to_json() == problem.to_json()


def test_what_a_pool_sends_can_be_pickled():
    problem = carom.ImpactProblem([2, 1], [0, -1], [[0, 1]], restitution=0.8, options={"max_steps": 7})
    outcome = problem.solve("compliant")
    again = pickle.loads(pickle.dumps(outcome))
    assert np.array_equal(again.velocity, outcome.velocity) and again.stop == outcome.stop
    assert repr(again) == repr(outcome)
    assert pickle.loads(pickle.dumps(problem)).to_json() == problem.to_json()
    for part in (outcome.energy, outcome.audit):
        assert repr(pickle.loads(pickle.dumps(part))) == repr(part)
    outcomes = carom.impacts([1.0], [[-1.0], [-2.0]], [[1.0]])
    assert np.array_equal(pickle.loads(pickle.dumps(outcomes)).velocity, outcomes.velocity)


# ----- bad input


def test_wrong_shapes_are_named():
    with pytest.raises(carom.SizeMismatchError, match=r"normals has the shape \(1, 3\), expected"):
        carom.impact([1, 1], [1, 0], [[-1, 1, 0]])
    with pytest.raises(carom.SizeMismatchError, match="metric"):
        carom.impact([[1, 0, 0]], [1, 0], [[-1, 1]])
    with pytest.raises(carom.SizeMismatchError, match="restitution"):
        carom.impact([1, 1], [1, 0], [[-1, 1]], restitution=[1, 1, 1])
    with pytest.raises(carom.SizeMismatchError, match="problems along its first axis"):
        carom.impacts([1, 1], np.zeros((3, 2)), np.zeros((4, 1, 2)))
    with pytest.raises(carom.SizeMismatchError, match="one number of each problem"):
        carom.impacts([1, 1], np.zeros((3, 2)), [[1, 0]], restitution=[0.1, 0.2, 0.3])


@given(
    arrays(np.float64, st.lists(st.integers(0, 3), max_size=4).map(tuple), elements=st.floats(-1, 1)),
    arrays(np.float64, st.lists(st.integers(0, 3), max_size=4).map(tuple), elements=st.floats(-1, 1)),
    arrays(np.float64, st.lists(st.integers(0, 3), max_size=4).map(tuple), elements=st.floats(-1, 1)),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_any_shapes_give_an_answer_or_an_exception(metric, velocity, normals, many):
    try:
        (carom.impacts if many else carom.impact)(metric, velocity, normals)
    except carom.InputError as error:
        assert error.kind and str(error)


@pytest.mark.parametrize(
    "value", [["a", "b"], [1 + 2j, 0], [None, 1], [[1, 2], [3]], object(), {"a": 1}, np.array(["1", "2"]),
              np.ma.array([1.0, 0.0], mask=[False, True])]
)
def test_wrong_types_are_named(value):
    with pytest.raises(carom.WrongTypeError, match="velocity"):
        carom.impact([1, 1], value, [[-1, 1]])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_refused(bad):
    with pytest.raises(carom.NotFiniteError, match="velocity"):
        carom.impact([1, 1], [bad, 0], [[-1, 1]])
    with pytest.raises(carom.NotFiniteError, match="problem 2"):
        carom.impacts([1, 1], [[0, 0], [1, 0], [bad, 0]], [[-1, 1]])


def test_any_memory_layout_and_number_type_will_do():
    expected = carom.impact([1, 1], [1, 0], [[-1, 1]]).velocity
    wide = np.zeros((2, 8))
    wide[0, 0] = 1
    for velocity in (wide[:, 0], np.array([1, 0], dtype=np.int8), np.array([1, 0], dtype=np.float32), (True, False)):
        assert np.array_equal(carom.impact([1, 1], velocity, [[-1, 1]]).velocity, expected)
    normals = np.array([[-1.0, 1.0]])
    normals.flags.writeable = False
    assert np.array_equal(carom.impact(np.asfortranarray(np.eye(2)), [1, 0], normals).velocity, expected)
    masked = np.ma.array([1.0, 0.0], mask=[False, False])
    assert np.array_equal(carom.impact([1, 1], masked, normals).velocity, expected)
    swapped = np.array([1.0, 0.0]).astype(">f8")
    assert np.array_equal(carom.impact([1, 1], swapped, normals).velocity, expected)


@pytest.mark.parametrize("rows", [[0.5], [1], [-1], [np.nan]])
def test_supports_are_rows_of_persistent(rows):
    with pytest.raises(carom.OutOfRangeError, match="supports"):
        carom.impact([1, 1], [1, 0], [[-1, 1]], persistent=[[1, 1]], supports=rows)


def test_errors_have_the_words_of_the_tool():
    with pytest.raises(carom.UnknownNameError) as caught:
        carom.impact([1], [-1], [[1]], law="newtn")
    error = caught.value
    assert (error.kind, error.field, error.line) == ("unknown-name", "law", None)
    assert "did you mean 'newton'?" in str(error)
    with pytest.raises(carom.MetricNotPositiveDefiniteError):
        carom.impact([[1, 2], [2, 1]], [1, 0], [[-1, 1]])
    with pytest.raises(carom.OutOfRangeError, match="restitution"):
        carom.impact([1], [-1], [[1]], restitution=1.5)
    with pytest.raises(carom.ZeroNormalError):
        carom.impact([1], [-1], [[0]])
    with pytest.raises(carom.UnknownNameError, match="did you mean 'max_steps'"):
        carom.impact([1], [-1], [[1]], options={"max_stps": 3})
    with pytest.raises(carom.InputError, match="audit"):
        carom.impact([1], [-1], [[1]], audit="deep")


def test_every_kind_of_error_has_its_class():
    from carom import _carom, _errors

    assert set(_errors._CLASSES) == set(_carom.error_kinds)


def test_exceptions_can_be_pickled():
    with pytest.raises(carom.InputError) as caught:
        carom.Scene.parse("format = 1\n[world]\ngravty = [0, 0, 1]\n", "a.toml").check()[0:0] or carom.run(
            carom.Scene.parse("format = 1\n[world]\ngravty = [0, 0, 1]\n", "a.toml")
        )
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value) and str(again) == str(caught.value)
    assert (again.line, again.field, again.file) == (3, caught.value.field, "a.toml")


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="the address sanitizer keeps what was freed")
def test_ten_to_the_fifth_calls_need_no_more_memory():
    import resource

    metric, velocity, normals = np.eye(3), np.array([1.0, 0, 0]), np.array([[-1.0, 1, 0], [0, -1, 1]])

    def calls(count):
        for _ in range(count):
            carom.impact(metric, velocity, normals, law="newton").velocity
            try:
                carom.impact(metric, velocity[:2], normals)
            except carom.InputError:
                pass

    calls(2000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(20000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # kB


def test_functions_can_be_sent_to_other_processes_and_name_their_arguments():
    for function in (carom.impact, carom.impacts, carom.compare, carom.corner):
        assert pickle.loads(pickle.dumps(function)) is function
    with pytest.raises(TypeError, match="unexpected keyword argument 'restituton'"):
        carom.impact([1, 1], [1, 0], [[-1, 1]], restituton=1)
    with pytest.raises(carom.UnknownNameError, match="'metrc' of a problem; did you mean 'metric'"):
        carom.compare({"metrc": [1, 1]})
    with pytest.raises(carom.MissingFieldError, match="no 'velocity'"):
        carom.compare({"metric": [1, 1]})


def test_what_is_not_given_is_told_as_such():
    with pytest.raises(carom.WrongTypeError, match="velocity is None, expected an array of numbers"):
        carom.impact([1, 1], None, [[-1, 1]])

    def nothing(contacts):
        pass

    with pytest.raises(carom.WrongTypeError, match="'nothing' returned None, expected a normal impulse"):
        carom.impact([1, 1], [1, 0], [[-1, 1]], law=nothing)
    with pytest.raises(carom.SizeMismatchError, match=r"expected one number, \(1,\) or \(problems, 1\) for one number"):
        carom.impacts([1, 1], np.ones((5, 2)), [[-1, 1]], restitution=np.full(5, 0.5))


def test_corners_look_short():
    many = carom.corner(np.linspace(0.1, 1.5, 200)[:, None], [0.5, 1.0], [1.0, 0.2])
    assert repr(many).startswith("Corners of shape (200, 2)\n  velocity (200, 2, 2)\n") and len(repr(many)) < 200
    assert "[-" in repr(carom.corner(0.5, 1.0, [1.0, 0.2])) and "none" in repr(carom.corner(np.zeros(0), 1.0, [1.0, 0.2]))


@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer keeps what is given back")
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not say how much memory there is")
def test_batches_of_several_threads_keep_no_memory():
    velocities = np.full((9000, 1), -1.0)

    def pages_after(calls):
        for _ in range(calls):
            carom.impacts([1.0], velocities, [[1.0]], law="geometric", audit="none", threads=2)
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    before = pages_after(200)
    grown = (pages_after(1000) - before) * resource.getpagesize()
    assert grown < 3e6  # a crew of threads that is not given back takes 7 kB


@pytest.mark.parametrize("count, tangents", [(0, 0), (1, 0), (3, 0), (5, 2)])
def test_arrays_of_a_batch_stand_for_themselves(count, tangents):
    velocities = np.tile([0.0, 0, -1], (count, 1))
    rows = dict(tangents=[[[1, 0, 0], [0, 1, 0]]], rough=True) if tangents else {}
    outcomes = carom.impacts(np.ones(3), velocities, [[0, 0, 1]], law="rough" if tangents else "newton", **rows)
    arrays = {name: getattr(outcomes, name) for name in vars(outcomes) if name not in ("law", "audited")}
    del outcomes
    for name, array in arrays.items():
        assert len(array) == count and array.flags.aligned and array.flags.writeable and array.flags.c_contiguous, name
        array[...] = 7  # no array reaches into another
    assert all(np.all(array == 7) for array in arrays.values())
