"""Guards: a release of Megatron-Core whose functions take something else is refused by name."""

import inspect
import types

import pytest
from rrfp.megatron import _contract


@pytest.fixture
def schedules():
    def schedule(
        *, forward_step_func, data_iterator, model, num_microbatches, seq_length, micro_batch_size,
        decoder_seq_length=None, forward_only=False, collect_non_loss_data=False,
        first_val_step=None, adjust_tensor_shapes_fn=None, p2p_communicator=None,
        pg_collection=None,
    ):
        pass

    def forward_step(
        forward_step_func, data_iterator, model, num_microbatches, input_tensor,
        forward_data_store, config, cp_group_size, collect_non_loss_data=False,
        checkpoint_activations_microbatch=None, is_first_microbatch=False,
        current_microbatch=None, vp_stage=None, is_last_stage=True,
    ):
        pass

    def backward_step(input_tensor, output_tensor, output_tensor_grad, config):
        pass

    known = dict.fromkeys(_contract.SCHEDULES, schedule)
    others = ("deallocate_output_tensor", "check_first_val_step", "get_model_config")
    return types.SimpleNamespace(
        **known, forward_step=forward_step, backward_step=backward_step,
        **dict.fromkeys(others, schedule),
    )


def test_the_known_signatures_are_accepted(schedules):
    _contract.check(schedules)
    assert not _contract.backward_wants_model_type(schedules)


def test_without_pipelining_no_communicator_is_asked_for(schedules):
    """As in Megatron-Core 0.15."""
    known = inspect.signature(schedules.forward_backward_no_pipelining)
    older = [known.parameters[name] for name in known.parameters if name != "p2p_communicator"]

    def no_pipelining():
        pass

    no_pipelining.__signature__ = known.replace(parameters=older)
    setattr(schedules, _contract.NO_PIPELINING, no_pipelining)
    _contract.check(schedules)
    setattr(schedules, _contract.PLAIN, no_pipelining)
    with pytest.raises(_contract.ContractChanged, match="does not take p2p_communicator"):
        _contract.check(schedules)


def test_a_release_that_differs_is_told_which_ones_do_not(schedules):
    del schedules.forward_step
    with pytest.raises(_contract.ContractChanged, match="0.15.3 and 0.16.1; use one of these"):
        _contract.check(schedules)


@pytest.mark.parametrize("name", [*_contract.SCHEDULES, "forward_step", "backward_step"])
def test_a_changed_signature_is_named(schedules, name):
    setattr(schedules, name, lambda surprise: None)
    with pytest.raises(_contract.ContractChanged, match=name):
        _contract.check(schedules)


def test_a_function_that_is_gone_is_named(schedules):
    del schedules.deallocate_output_tensor
    with pytest.raises(_contract.ContractChanged, match="deallocate_output_tensor is gone"):
        _contract.check(schedules)
