#pragma once

#include <cstdlib>
#include <iostream>
#include <rapidcheck.h>
#include <sstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace rrfp {

/// How many cases each of the guarantees' properties draws: RRFP_PROPERTY_CASES, or 1000.
inline int property_cases() {
    const char* given = std::getenv("RRFP_PROPERTY_CASES");
    const int cases = given == nullptr ? 1000 : std::atoi(given);
    if (cases < 1) {
        throw std::invalid_argument("RRFP_PROPERTY_CASES is '" + std::string(given) +
                                    "'; it must be a number from 1 on");
    }
    return cases;
}

/// Checks `property` on `property_cases()` cases as the current test. A failure prints the least
/// case that it could shrink to and how to draw it again; the seed is printed in any case.
template <typename Property>
void check_property(Property&& property) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    rc::detail::TestMetadata metadata;
    metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
    metadata.description = test->name();
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = property_cases();
    const auto result =
        rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    if (result.template is<rc::detail::SuccessResult>()) {
        std::cout << "seed " << params.seed << ": " << text.str() << "\n";
    } else {
        FAIL() << "seed " << params.seed << ": " << text.str();
    }
}

}  // namespace rrfp
